/** `manifest_is_valid`: all parts of the manifest that a query can use can be planned. The source is not contacted. */

import type { ManifestReport } from "../../planner/index.ts";
import { prepareConnection } from "../connections.ts";
import { ServiceError } from "../failure.ts";
import { refuseWarnings } from "../planning.ts";
import { toServiceError } from "../translate.ts";
import { manifestOf, type Rule } from "./rule.ts";

/** No parameters. */
export const manifestIsValid: Rule = async (services, context, request) => {
  try {
    const connection = prepareConnection(services, context, request.source, request.connectionInfo);
    const manifest = manifestOf(services, request);
    const checked = services.planner.checkOfManifest({ ...services.planOptions, manifest, source: request.source });
    if (!checked.ok) throw checked.error;
    if (checked.value.problems.length > 0) throw violated(checked.value);
    const warnings = [...connection.warnings, ...checked.value.warnings];
    if (context.strict) refuseWarnings(warnings, "validate", undefined);
    return { warnings };
  } catch (error) {
    throw toServiceError(error, { operation: "validate" });
  }
};

/** Number of problems in the message, for readers that use nothing else. */
const IN_MESSAGE = 3;

function violated({ problems, more }: ManifestReport): ServiceError {
  const count = problems.length + more;
  const first = problems.slice(0, IN_MESSAGE).map(({ message }) => message);
  const others = count > first.length ? ["…"] : [];
  const message = `The manifest has ${count} problem${count === 1 ? "" : "s"}: ${[...first, ...others].join("; ")}`;
  const metadata = { problems, ...(more > 0 && { moreProblems: more }) };
  return new ServiceError("RULE_VIOLATED", message, { operation: "validate", metadata });
}
