/**
 * Analyses statements: which columns of which models they read, and how (docs/spec/contract.md#analysis-of-sql). No source is
 * contacted.
 */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import { AnalysisBudget, type QueryAnalysis } from "../planner/index.ts";
import { ServiceError } from "./failure.ts";
import { refuseWarnings } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";
import { toServiceError } from "./translate.ts";

export interface AnalyseRequest {
  readonly manifestStr: string;
  readonly sqls: readonly string[];
  /** For the only statement. */
  readonly parameters?: readonly unknown[] | undefined;
  /** The statements come from the caller's list: errors contain the index of the statement. */
  readonly listed: boolean;
}

export interface AnalyseAnswer {
  /** One list of records per statement, in the order of the statements. */
  readonly records: readonly (readonly QueryAnalysis[])[];
  readonly warnings: readonly PlannerWarning[];
}

/** The first failure fails all statements, with `ServiceError`. */
export function analyse(
  services: Services,
  { strict }: Pick<CallContext, "strict">,
  { manifestStr, sqls, parameters, listed }: AnalyseRequest,
): AnalyseAnswer {
  const loaded = services.manifests.get(manifestStr);
  if (!loaded.ok) throw toServiceError(loaded.error, { operation: "analyse" });
  const remarks = services.planner.manifestRemarks(loaded.value, undefined);
  if (!remarks.ok) throw toServiceError(remarks.error, { operation: "analyse" });
  if (strict) refuseWarnings(remarks.value, "analyse", undefined);
  const { limits } = services.planOptions;
  const budget = new AnalysisBudget();
  const records = sqls.map((sql, index) => {
    const outcome = services.planner.analyseStatement({ sql, parameters, manifest: loaded.value, limits, budget });
    if (outcome.ok) return outcome.value;
    const error = toServiceError(outcome.error, { operation: "analyse", sql });
    if (!listed) throw error;
    const { reason, operation, metadata, message } = error;
    throw new ServiceError(reason, `sqls[${index}]: ${message}`, { operation, metadata, cause: outcome.error });
  });
  return { records, warnings: remarks.value };
}
