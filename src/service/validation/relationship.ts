/** `relationship_is_valid`: the data matches the relationship. It is the only rule that reads data; it reads one row. */

import type { Manifest, RelationshipData } from "../../planner/index.ts";
import { type Plan, statementOf } from "../../planner/plan.ts";
import type { Row } from "../../result/types.ts";
import { type Call, type OpenedSource, withCall } from "../call.ts";
import { prepareConnection } from "../connections.ts";
import { ServiceError } from "../failure.ts";
import { forServer } from "../for-server.ts";
import { planOver } from "../planning.ts";
import { toServiceError } from "../translate.ts";
import { textParameter, wrongParameter } from "./parameters.ts";
import { manifestOf, type Rule } from "./rule.ts";

/** Parameter: `relationshipName`. */
export const relationshipIsValid: Rule = (services, context, request) =>
  withCall(services, context, "validate", async (call) => {
    const name = textParameter(request.parameters, "relationshipName");
    const connection = prepareConnection(services, context, request.source, request.connectionInfo);
    const manifest = manifestOf(services, request);
    const relationship = relationshipNamed(name, manifest);
    const check = services.planner.checkOfRelationship({ manifest, relationship, limits: services.planOptions.limits });
    if (!check.ok) throw toServiceError(check.error, { operation: "validate" });
    return forServer({
      services,
      call,
      connection,
      source: request.source,
      plan: (server) =>
        planOver(services, context, check.value.manifest, {
          operation: "validate",
          source: request.source,
          sql: check.value.sql,
          warnings: connection.warnings,
          ownSql: true,
          ...server,
        }),
      ask: async (planned) => {
        call.sends({ planned });
        const row = await firstRow(await call.open(connection, planned.plan), planned.plan, call);
        const findings = check.value.findings.map((finding, index) => [finding, Number(row[index]) === 1] as const);
        if (findings.some(([, holds]) => !holds)) throw violated(name, findings);
        return { warnings: planned.warnings };
      },
    });
  });

function relationshipNamed(name: string, manifest: Manifest): RelationshipData {
  const relationship = manifest.data.relationships.find((each) => each.name === name);
  if (relationship === undefined) throw wrongParameter(`Relationship ${name} not found in manifest`);
  if (relationship.problem !== undefined) throw wrongParameter(relationship.problem.message);
  const names = new Set(manifest.data.models.map((model) => model.name));
  const missing = relationship.data.models.find((model) => !names.has(model));
  if (missing !== undefined) throw wrongParameter(`Model ${missing} not found in manifest`);
  return relationship.data;
}

async function firstRow({ connector, options }: OpenedSource, plan: Plan, call: Call): Promise<Row> {
  const stream = await call.race(connector.query(statementOf(plan), options));
  try {
    for (;;) {
      const { done, value } = await call.race(stream.batches.next());
      if (done === true) throw new TypeError("the source answered without a row");
      const [row] = value;
      if (row !== undefined) return row;
    }
  } finally {
    await stream.close();
  }
}

/** In the format that existing clients compare exactly (docs/spec/contract.md#validation-rules). */
function violated(name: string, findings: readonly (readonly [string, boolean])[]): ServiceError {
  const all: readonly (readonly [string, boolean])[] = [["result", false], ...findings];
  const told = all.map(([finding, holds]) => `'${finding}': '${holds ? "True" : "False"}'`).join(", ");
  const message = `Relationship ${name} is not valid: {${told}}`;
  return new ServiceError("RULE_VIOLATED", message, { operation: "validate" });
}
