/** Constructs inside of themselves, thirty deep, on every dialect: a plan within its budget, or a refusal that says so. */
import { expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { RECORDED, type Recorded } from "../../sent-sql/sent.ts";
import { planned } from "../../support/plan.ts";
import { BRIDGES, CONSTRUCTS, manifest, nested } from "./constructs.ts";

const DEPTH = 30;

/** A tenth of what a plan may have: what grows with a power of its nesting needs more than either. */
const limits = { ...DEFAULT_LIMITS, nodes: 20_000, steps: 100_000 };

function outcome(sql: string, { source, variant }: Recorded): string {
  try {
    const { cost } = planned(sql, manifest, { source, ...(variant && { variant }), options: { limits } });
    return cost.nodes <= limits.nodes && cost.steps <= limits.steps ? "planned" : "beyond its budget";
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

/**
 * Constructs that may exceed the budget, because their rewrites repeat an operand that cannot be bound: decimals whose digits
 * other rewrites read, JSON values, arrays, operands of subqueries, doubles that are cast to texts and back, times whose difference is a
 * number of microseconds, times of day that are, ends of periods, formats of numbers that are cast from formatted texts, and on Snowflake, Redshift and Doris doubles that are cast to decimals. MySQL before 8.0.14 and MariaDB have no
 * form that binds one, and no form was run on Oracle, SQL Server, Snowflake, Redshift and Doris.
 */
const REPEATING: Readonly<Record<string, number>> = {
  mysql: 351,
  "mysql.mysql-8.0.14": 77,
  "mysql.mysql-8.0.0-9.6": 354,
  "mysql.mariadb-10.6": 354,
  oracle: 276,
  mssql: 257,
  "mssql.mssql-160": 257,
  snowflake: 185,
  bigquery: 75,
  clickhouse: 71,
  redshift: 102,
  trino: 54,
  spark: 57,
  databricks: 59,
  athena: 52,
  canner: 52,
  doris: 79,
  duckdb: 24,
  local_file: 24,
};

const ENDS = /^(planned|LIMIT_SIZE|LIMIT_DEPTH|UNSUPPORTED_ON_SOURCE|SYNTAX|TYPE_MISMATCH|FUNCTION_NOT_FOUND)$/;

test.each(RECORDED)("$name", (recorded) => {
  const ends = CONSTRUCTS.flatMap((construct) =>
    BRIDGES.map((bridge) => `${outcome(nested(construct, DEPTH, bridge), recorded)}: ${construct.name}`),
  );
  expect(ends.filter((end) => !ENDS.test(end.split(":")[0] ?? ""))).toEqual([]);
  expect(ends.filter((end) => end.startsWith("planned")).length).toBeGreaterThan(400);
  const refused = ends.filter((end) => end.startsWith("LIMIT_SIZE"));
  expect(refused.length).toBeLessThanOrEqual(REPEATING[recorded.name] ?? 0);
});
