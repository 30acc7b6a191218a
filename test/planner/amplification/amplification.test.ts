/** Constructs inside of themselves, thirty deep, on every dialect: a plan within its budget, or a refusal that says so. */
import { expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { planned } from "../../support/plan.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";
import { BRIDGES, CONSTRUCTS, manifest, nested } from "./constructs.ts";

const DEPTH = 30;

/** A tenth of what a plan may have: what grows with a power of its nesting needs more than either. */
const limits = { ...DEFAULT_LIMITS, nodes: 20_000, steps: 100_000 };

function outcome(sql: string, source: DataSource): string {
  try {
    const { cost } = planned(sql, manifest, { source, options: { limits } });
    return cost.nodes <= limits.nodes && cost.steps <= limits.steps ? "planned" : "beyond its budget";
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

/** Constructs that may exceed the budget: on dialects that cannot bind an operand, their rewrites repeat it. */
const REPEATING: Readonly<Partial<Record<DataSource, number>>> = {
  mysql: 294,
  oracle: 196,
  mssql: 185,
  snowflake: 119,
  bigquery: 55,
  redshift: 35,
  doris: 26,
  postgres: 4,
};

const ENDS = /^(planned|LIMIT_SIZE|LIMIT_DEPTH|UNSUPPORTED_ON_SOURCE|SYNTAX|TYPE_MISMATCH|FUNCTION_NOT_FOUND)$/;

test.each(PLANNED_SOURCES)("%s", { timeout: 120_000 }, (source) => {
  const ends = CONSTRUCTS.flatMap((construct) =>
    BRIDGES.map((bridge) => `${outcome(nested(construct, DEPTH, bridge), source)}: ${construct.name}`),
  );
  expect(ends.filter((end) => !ENDS.test(end.split(":")[0] ?? ""))).toEqual([]);
  expect(ends.filter((end) => end.startsWith("planned")).length).toBeGreaterThan(400);
  const refused = ends.filter((end) => end.startsWith("LIMIT_SIZE"));
  expect(refused.length).toBeLessThanOrEqual(REPEATING[source] ?? refused.length);
});
