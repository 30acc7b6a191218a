/** How SQL is planned, for people and tools that want to see it: nothing is sent anywhere (decisions W10). */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { DataSource, Lineage, PlanRead, SessionSetting } from "../planner/plan.ts";
import { describeType } from "../planner/types.ts";
import { planStatement } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";

export interface ExplainRequest {
  /** `undefined`: in the input language (decisions W16). */
  readonly source: DataSource | undefined;
  readonly sql: string;
  readonly manifestStr: string;
}

export interface Explanation {
  /** The plan in the input language; absent for the rare plan that only the source's dialect can say. */
  readonly plannedSql: string | undefined;
  /** What would be sent to the source. Without a source it is the same as `plannedSql`. */
  readonly dialectSql: string;
  /** `type` is the input language's name for it, `unknown` where nothing tells. */
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly reads: readonly PlanRead[];
  readonly lineage: readonly Lineage[];
  readonly warnings: readonly PlannerWarning[];
  /** Settings that the connector applies first. */
  readonly session: readonly SessionSetting[];
}

/** Fails with `ServiceError`. */
export function explain(services: Services, context: CallContext, request: ExplainRequest): Explanation {
  const planned = planStatement(services, context, { operation: "explain", ...request });
  const { plan, warnings } = planned;
  return {
    plannedSql: planned.inputLanguage(),
    dialectSql: plan.sql,
    columns: plan.columns.map(({ name, type, nullable }) => ({ name, type: describeType(type), nullable })),
    reads: plan.reads(),
    lineage: plan.lineage(),
    warnings,
    session: plan.session,
  };
}
