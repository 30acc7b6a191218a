/** Plans over the TPC-H models with every column under its own name, for tests that read the SQL. */
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource, Plan } from "../../../src/planner/plan.ts";
import { plainManifest } from "../../support/analyst.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

const manifest = manifestOf(plainManifest("postgres"));

export type PlainTarget = DataSource | "input";

export function plainPlan(sql: string, target: PlainTarget = "postgres", settings: PlanSettings = {}): Plan {
  return planned(sql, manifest, { ...settings, source: target === "input" ? undefined : target });
}

/** The SQL for a source, or in the input language. */
export function plainSql(sql: string, target: PlainTarget = "postgres"): string {
  return plainPlan(sql, target).sql;
}

/** The error of a query that must not be planned. */
export function plainError(sql: string, target: PlainTarget = "postgres"): PlannerError {
  try {
    plainPlan(sql, target);
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error(`planned: ${sql}`);
}
