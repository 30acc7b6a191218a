/** Constructs of times that most targets lack, by definitions in the input language: OVERLAPS, bins, made timestamps, long units. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const SOURCES = [
  "trino",
  "athena",
  "spark",
  "databricks",
  "bigquery",
  "snowflake",
  "mysql",
  "clickhouse",
  "mssql",
  "oracle",
  "redshift",
  "doris",
] as const;

const manifest = manifestOfTable({
  n: "INTEGER",
  p: "DECIMAL(12,2)",
  w: "DOUBLE",
  d: "DATE",
  e: "DATE",
  a: "TIMESTAMP",
  b: "TIMESTAMP",
  z: "TIMESTAMP WITH TIME ZONE",
});

/** The value as it is sent, or why it is refused. */
function sent(value: string, source: DataSource): string {
  try {
    const { sql } = planned(`SELECT ${value} AS x FROM t`, manifest, { source });
    return sql
      .replaceAll(/^SELECT | AS \W?x\W? FROM .*$/gs, "")
      .replaceAll(/(["`[]|\b)t["`\]]?\.["`[]?(\w+)["`\]]?/g, "$2");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace(/^not supported on [^:]+/, "refused");
    throw error;
  }
}

const PLANNED = [
  "(a, b) OVERLAPS (d, INTERVAL '1 month')",
  "(a, b) OVERLAPS (TIMESTAMP '2024-01-01', TIMESTAMP '2024-02-01')",
  "(d, e) OVERLAPS (NULL, DATE '2024-01-01')",
  "(z, b) OVERLAPS (d, INTERVAL '-2 hours')",
  "date_bin('15 minutes', a, TIMESTAMP '2001-01-01')",
  "date_bin(INTERVAL '1 day 6 hours', z, TIMESTAMPTZ '2001-01-01 00:00:00+00')",
  "date_bin('7 days', d, e)",
  "make_timestamp(2024, n, 1, n, 30, 0)",
  "make_timestamp(n, 1, 1, 24, 0, 0)",
  "make_timestamp(2024, 1, n, 0, n, 59.5)",
  "date_trunc('decade', a)",
  "date_trunc('century', d)",
  "date_trunc('millennium', z)",
  "a + floor(w) * INTERVAL '6 hours'",
  "a - INTERVAL '30 min' * ceil(p / 2)",
  "d + (1 + round(p)) * INTERVAL '1 month'",
] as const;

describe.each(SOURCES)("%s", (source) => {
  test.each(PLANNED)("%s", (value) => expect(sent(value, source)).not.toContain("refused"));

  test.each<[string, string]>([
    ["(a, b) OVERLAPS (n, n)", "refused: OVERLAPS of this"],
    ["(NULL, NULL) OVERLAPS (NULL, NULL)", "refused: OVERLAPS of this"],
    ["date_bin('1 month', a, TIMESTAMP '2001-01-01')", "refused: date_bin with these arguments"],
    ["date_bin('0 minutes', a, TIMESTAMP '2001-01-01')", "refused: date_bin with these arguments"],
    ["date_bin(n * INTERVAL '1 hour', a, b)", "refused: date_bin with these arguments"],
    ["make_timestamp(2023, 2, 29, 0, 0, 0)", "refused: make_timestamp with these arguments"],
    ["make_timestamp(2024, 1, 1, 24, 0, 1)", "refused: make_timestamp with these arguments"],
    ["make_timestamp(2024, 1, 1, 0, 0, 60.5)", "refused: make_timestamp with these arguments"],
    ["make_timestamp(2024, 1, 1, 0, 0, w)", "refused: make_timestamp with these arguments"],
    ["a + w * INTERVAL '6 hours'", "refused: multiplying a compound interval"],
    ["a + p * INTERVAL '6 hours'", "refused: multiplying a compound interval"],
  ])("%s is refused", (value, reason) => expect(sent(value, source)).toContain(reason));
});

test("a bin of local times does not begin at an instant", () => {
  expect(sent("date_bin('15 minutes', a, z)", "trino")).toBe("refused: date_bin with these arguments");
});

describe("what is sent", () => {
  test("literal ends are never NULL, and in their order", () => {
    const value = "(a, b) OVERLAPS (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00')";
    const [first, last] = ["CAST('2024-01-01 00:00:00' AS TIMESTAMP)", "CAST('2024-02-01 00:00:00' AS TIMESTAMP)"];
    expect(sent(value, "redshift")).toBe(
      `CASE WHEN least(a, b) < ${last} AND ${first} < greatest(a, b) THEN TRUE WHEN a IS NOT NULL AND b IS NOT NULL THEN least(a, b) = ${first} END`,
    );
    expect(
      sent("(DATE '2024-01-01', DATE '2024-01-02') OVERLAPS (DATE '2024-01-02', DATE '2024-01-03')", "trino"),
    ).toBe(
      "DATE '2024-01-01' < DATE '2024-01-03' AND DATE '2024-01-02' < DATE '2024-01-02' OR DATE '2024-01-01' = DATE '2024-01-02'",
    );
  });

  test("a bin has whole seconds, or microseconds", () => {
    const seconds = "CAST(floor(DATEDIFF(microsecond, B, A) * 0.000001) AS BIGINT)";
    expect(sent("date_bin('90 minutes', a, b)", "snowflake")).toBe(
      `DATEADD(second, ${seconds} - mod(mod(${seconds}, 5400) + 5400, 5400), B)`,
    );
    expect(sent("date_bin('250 microseconds', a, b)", "snowflake")).toMatch(
      /^DATEADD\(microsecond, .* - mod\(mod\(.*, 250\) \+ 250, 250\), B\)$/,
    );
    expect(sent("date_bin('250 microseconds', a, b)", "trino")).toBe("refused: an interval of microseconds");
  });

  test("a timestamp of literals is one", () => {
    expect(sent("make_timestamp(2024, 2, 29, 23, 59, 59.5)", "doris")).toBe(
      "CAST('2024-02-29 23:59:59.5' AS DATETIME(6))",
    );
    expect(sent("make_timestamp(2023, 12, 31, 24, 0, 0)", "redshift")).toBe(
      "DATEADD(SECOND, 86400, CAST('2023-12-31 00:00:00' AS TIMESTAMP))",
    );
    expect(sent("make_timestamp(2024, n, 29, NULL, 59, 59)", "redshift")).toBe("CAST(NULL AS TIMESTAMP)");
  });

  test("a century begins with its year 1", () => {
    const year = "CAST(CAST(EXTRACT(YEAR FROM a) AS BIGINT) AS INTEGER)";
    expect(sent("date_trunc('century', a)", "redshift")).toBe(
      `DATEADD(MONTH, -(mod(${year} - 1, 100) * 12), date_trunc('year', a))`,
    );
    expect(sent("date_trunc('decade', a)", "redshift")).toBe(
      `DATEADD(MONTH, -(mod(${year}, 10) * 12), date_trunc('year', a))`,
    );
  });

  test("a factor that is a whole number is counted in units", () => {
    expect(sent("a + floor(w) * INTERVAL '6 hours'", "mssql")).toBe(
      "DATEADD(SECOND, CAST(floor(w) AS BIGINT) * 21600, a)",
    );
  });
});
