/** Source expressions with constructs that the source lacks. */
import { describe, expect, it } from "vitest";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const COLUMNS = [
  { name: "k", type: "VARCHAR" },
  { name: "p", type: "VARCHAR" },
  { name: "n", type: "INTEGER" },
  { name: "d", type: "TIMESTAMP" },
  { name: "own", type: "VARCHAR", expression: "upper(k)" },
];

/** The expression of the column `x` in the plan. */
function sentFor(expression: string, source: DataSource, type = "VARCHAR", more: object = {}): string {
  const columns = [...COLUMNS, { name: "x", type, expression }];
  const model = { name: "t", tableReference: { table: "t" }, columns, ...more };
  const manifest = manifestOf({ catalog: "c", schema: "s", models: [model] });
  const { sql } = planned("SELECT x FROM t", manifest, { source, session: new Map([["k", "'a'"]]) });
  return sql.replaceAll(/[`"]/g, "").replace(/^SELECT .*?\(SELECT (.*?) AS x FROM .*$/s, "$1");
}

describe("are translated", () => {
  it.each<[source: DataSource, expression: string, type: string, sent: string]>([
    ["mysql", "cast(p as string)", "VARCHAR", "_s.p"],
    ["mysql", "N::double", "DOUBLE", "CAST(_s.n AS DOUBLE)"],
    ["mysql", "cast(n as text)", "VARCHAR", "CAST(_s.n AS CHAR)"],
    ["mysql", "d::date", "DATE", "CAST(_s.d AS DATE)"],
    [
      "mysql",
      "cast('2024-01-01 00:00:00+00' as timestamp with time zone)",
      "TIMESTAMPTZ",
      "TIMESTAMP '2024-01-01 00:00:00'",
    ],
    [
      "mysql",
      "date_trunc('month', cast('2024-05-06' as date))",
      "TIMESTAMP",
      "CAST(date_format(DATE '2024-05-06', '%Y-%m-01') AS DATETIME(6))",
    ],
    ["trino", "cast(p as string)", "VARCHAR", "_s.p"],
    ["trino", "n::double", "DOUBLE", "CAST(_s.n AS DOUBLE)"],
    ["trino", "nvl(p, 'x') /* or */", "VARCHAR", "coalesce(_s.p, 'x')"],
    ["trino", "concat(k, '_', n)", "VARCHAR", "coalesce(_s.k, '') || '_' || coalesce(CAST(_s.n AS VARCHAR), '')"],
    ["athena", "cast(p as string)", "VARCHAR", "_s.p"],
    ["clickhouse", "cast(p as string)", "VARCHAR", "_s.p"],
    ["clickhouse", "nvl(p, 'x')", "VARCHAR", "coalesce(_s.p, 'x')"],
  ])("on %s: %s", (source, expression, type, sent) => {
    expect(sentFor(expression, source, type)).toBe(sent);
  });

  it("over rows that a rule restricts", () => {
    const rule = { name: "own", requiredProperties: [{ name: "k", required: true }], condition: "k = @k" };
    expect(sentFor("cast(p as string)", "trino", "VARCHAR", { rowLevelAccessControls: [rule] })).not.toContain(
      "string",
    );
  });
});

describe("stay the modeller's own text", () => {
  it.each<[why: string, source: DataSource, expression: string]>([
    ["the source takes it", "mysql", "n / 2"],
    ["the source takes it", "mysql", "concat(k, '_', n)"],
    ["the source takes it", "mysql", "cast(n as double)"],
    ["the source takes it", "trino", "concat(k, '_', p)"],
    ["the source takes it", "trino", "date_trunc('month', d)"],
    ["the source takes it", "clickhouse", "n::int"],
    ["the source takes it", "clickhouse", "cast(n as String)"],
    ["PostgreSQL takes it", "postgres", "n::int"],
    ["a name is no column of the model", "trino", "other::int"],
    ["a name is an expression itself", "trino", "own::int"],
    ["a function is unknown", "trino", "f(n)::int"],
    ["it is an aggregate", "trino", "sum(n)::int"],
    ["it has a subquery", "trino", "(SELECT 1)::int"],
    ["a string has an escape", "mysql", "'a\\n'::text"],
    ["a text has other quotes", "mysql", 'cast("n" as text)'],
    ["it is a function of a schema", "trino", "s.nvl(p, 'x')"],
  ])("where %s on %s: %s", (_why, source, expression) => {
    expect(sentFor(expression, source)).toBe(`(${expression.replaceAll('"', "")})`);
  });
});

it("is refused where the source has no such value", () => {
  expect(() => sentFor("cast('abc' as bytea)", "clickhouse", "BYTEA")).toThrow(/^not supported on ClickHouse/);
});
