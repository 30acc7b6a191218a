/** Returns the plan of a query for people and tools; no source is contacted (docs/decisions/0006-own-routes.md). */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { DataSource, Description, Lineage, PlanRead, RowGuarantee, SessionSetting } from "../planner/plan.ts";
import { describeType } from "../planner/types.ts";
import { planStatement } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";

export interface ExplainRequest {
  /** `undefined`: plan in the input language (docs/decisions/0012-planning-without-a-source.md). */
  readonly source: DataSource | undefined;
  readonly sql: string;
  readonly parameters?: readonly unknown[] | undefined;
  readonly manifestStr: string;
}

export interface Explanation {
  /** The plan in the input language; absent for the rare plan that only the source's dialect can express. */
  readonly plannedSql: string | undefined;
  /** The SQL for the source. Without a source it equals `plannedSql`. */
  readonly dialectSql: string;
  /** Ascending triples (offset in `dialectSql`, start, end in the caller's SQL), as `Plan.origins` has them. */
  readonly origins: readonly number[];
  /** `type` is the name in the input language; `unknown` if the type is unknown. */
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly reads: readonly PlanRead[];
  readonly lineage: readonly Lineage[];
  readonly descriptions: readonly Description[];
  /** Number of described objects without room in the answer. */
  readonly descriptionsOmitted: number;
  readonly warnings: readonly PlannerWarning[];
  /** The guarantee for rows that row rules exclude. */
  readonly rowRules: RowGuarantee;
  /** Settings that the connector applies first. */
  readonly session: readonly SessionSetting[];
}

/** Throws `ServiceError`. */
export function explain(services: Services, context: CallContext, request: ExplainRequest): Explanation {
  const planned = planStatement(services, context, { operation: "explain", ...request });
  const { plan, warnings } = planned;
  const descriptions = plan.descriptions();
  return {
    plannedSql: planned.inputLanguage(),
    dialectSql: plan.sql,
    origins: plan.origins,
    columns: plan.columns.map(({ name, type, nullable }) => ({ name, type: describeType(type), nullable })),
    reads: plan.reads(),
    lineage: plan.lineage(),
    descriptions: descriptions.objects,
    descriptionsOmitted: descriptions.omitted,
    warnings,
    rowRules: plan.rowRules,
    session: plan.session,
  };
}
