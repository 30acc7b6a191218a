/** Statements as data: which columns of which models they read, and how (contract §10). No source is touched. */
import { AnalysisBudget, type QueryAnalysis } from "../planner/index.ts";
import { ServiceError } from "./failure.ts";
import type { Services } from "./services.ts";
import { toServiceError } from "./translate.ts";

export interface AnalyseRequest {
  readonly manifestStr: string;
  readonly sqls: readonly string[];
  /** The statements are a list of the caller's: failures say which one they are about. */
  readonly listed: boolean;
}

/** One list of records per statement, in their order. The first failure fails them all, with `ServiceError`. */
export function analyse(
  services: Services,
  { manifestStr, sqls, listed }: AnalyseRequest,
): readonly (readonly QueryAnalysis[])[] {
  const loaded = services.manifests.get(manifestStr);
  if (!loaded.ok) throw toServiceError(loaded.error, { operation: "analyse" });
  const { limits } = services.planOptions;
  const budget = new AnalysisBudget();
  return sqls.map((sql, index) => {
    const outcome = services.planner.analyseStatement({ sql, manifest: loaded.value, limits, budget });
    if (outcome.ok) return outcome.value;
    const error = toServiceError(outcome.error, { operation: "analyse", sql });
    if (!listed) throw error;
    const { reason, operation, metadata, message } = error;
    throw new ServiceError(reason, `sqls[${index}]: ${message}`, { operation, metadata, cause: outcome.error });
  });
}
