/** Plans a query, or a structured query over a cube, without contacting a source. */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { DataSource } from "../planner/plan.ts";
import { planStatement, type Question } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";

export type DryPlanRequest = Question & {
  /** `undefined`: plan in the input language (docs/decisions/0012-planning-without-a-source.md). */
  readonly source: DataSource | undefined;
  readonly manifestStr: string;
};

export interface DryPlanAnswer {
  readonly sql: string;
  readonly warnings: readonly PlannerWarning[];
}

/** Throws `ServiceError`. */
export function dryPlan(services: Services, context: CallContext, request: DryPlanRequest): DryPlanAnswer {
  const planned = planStatement(services, context, { operation: "dryPlan", ...request });
  return { sql: planned.plan.sql, warnings: planned.warnings };
}
