/** Plans over the TPC-H models with every column under its own name, for tests that read the SQL. */
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource, Plan } from "../../../src/planner/plan.ts";
import { plainManifest } from "../../support/analyst.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

const manifest = manifestOf(plainManifest("postgres"));

export function plainPlan(sql: string, source: DataSource | undefined = "postgres", settings: PlanSettings = {}): Plan {
  return planned(sql, manifest, { ...settings, source });
}

/** The SQL for a source; `undefined` is the input language. */
export function plainSql(sql: string, source: DataSource | undefined = "postgres"): string {
  return plainPlan(sql, source).sql;
}

/** The error of a query that must not be planned. */
export function plainError(sql: string, source: DataSource | undefined = "postgres"): PlannerError {
  try {
    plainPlan(sql, source);
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error(`planned: ${sql}`);
}
