/** Large operands that a rewrite repeats are bound once; small ones, and those that must be found again, are repeated. */
import { describe, expect, test } from "vitest";
import type { PlannerError } from "../../../src/planner/diagnostics.ts";
import { variantsOf } from "../../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, manifestOfTable, planned } from "../../support/plan.ts";

const manifest = manifestOfTable({ i: "INTEGER", s: "VARCHAR", at: "DATETIME" });

const deep = (depth: number, open = "reverse(", operand = "s", close = " || 'x')"): string =>
  `${open.repeat(depth)}${operand}${close.repeat(depth)}`;

const sqlOf = (sql: string, source: DataSource = "duckdb"): string => planned(sql, manifest, { source }).sql;

const bindings = (sql: string, source: DataSource = "duckdb"): number =>
  new Set(sqlOf(sql, source).match(/_once\d+/g)).size;

describe.each<[DataSource, string, RegExp]>([
  ["duckdb", deep(30), /list_transform\(\[.*\], \(lambda _once1: .*\)\)\[1\]/],
  ["local_file", deep(30), /list_transform\(\[.*\], \(lambda _once1: .*\)\)\[1\]/],
  ["clickhouse", deep(30, "CAST(CAST(", "i", " AS VARCHAR) AS INTEGER)"), /arrayMap\("_once1" -> .*, \[.*\]\)\[1\]/],
  [
    "trino",
    deep(30, "CAST(ceil(", "i", ") AS INTEGER)"),
    /element_at\(transform\(ARRAY\[.*\], "?_once1"? -> .*\), 1\)/,
  ],
  [
    "spark",
    deep(30, "CAST(CAST(", "s", " AS TIMESTAMP) AS VARCHAR)"),
    /transform\(array\(.*\), `?_once1`? -> .*\)\[0\]/,
  ],
  ["bigquery", deep(30, "initcap(", "s", ")"), /\(SELECT .* FROM UNNEST\(\[.*\]\) AS `?_once\d+`?\)/],
  ["bigquery", deep(30, "greatest(", "i", ", 2)"), /\(SELECT .* FROM UNNEST\(\[.*\]\) AS `?_once\d+`?\)/],
  ["bigquery", deep(30, "CAST(CAST(", "s", " AS TIMESTAMP) AS VARCHAR)"), /FROM UNNEST\(\[.*\]\) AS `?_once1`?\)/],
])("%s", (source, expression, printed) => {
  test("binds what is large", () => {
    expect(sqlOf(`SELECT ${expression} AS x FROM t`, source)).toMatch(printed);
  });

  test("grows with the depth", () => {
    const { cost } = planned(`SELECT ${expression} AS x FROM t`, manifest, { source });
    expect(cost.nodes).toBeLessThan(20_000);
  });
});

test("a repeated part of a template counts twice", () => {
  const variant = variantsOf("mysql").find(({ from }) => from.join(".") === "8.0.14");
  if (variant === undefined) throw new TypeError("MySQL has LATERAL since 8.0.14");
  const inner = deep(29, "CASE WHEN extract(microseconds FROM ", "at", ") IS NULL THEN at ELSE now() END");
  const sql = `SELECT extract(microseconds FROM ${inner}) AS x FROM t`;
  const { cost, sql: sent } = planned(sql, manifest, { source: "mysql", variant });
  expect(sent).toContain("_once");
  expect(cost.nodes).toBeLessThan(20_000);
});

test("what is small is repeated", () => {
  expect(bindings(`SELECT ${deep(2)} AS x FROM t`)).toBe(0);
});

test.each([
  ["WHERE", `SELECT i FROM t WHERE ${deep(8)} = 'a'`],
  ["ORDER BY", `SELECT i FROM t ORDER BY ${deep(8)}`],
  ["a derived table", `SELECT x FROM (SELECT ${deep(8)} AS x FROM t) AS u GROUP BY x`],
  ["VALUES", `VALUES (${deep(8, "reverse(", "'a'", " || 'x')")})`],
])("in %s", (_name, sql) => {
  expect(bindings(sql)).toBeGreaterThan(0);
});

test.each([
  ["keys of groups", `SELECT ${deep(8)} AS x FROM t GROUP BY ${deep(8)}`],
  ["beside aggregates", `SELECT max(i) AS m, max(${deep(8)}) AS x FROM t`],
  ["DISTINCT", `SELECT DISTINCT ${deep(8)} AS x FROM t ORDER BY ${deep(8)}`],
  ["subqueries of rows around them", `SELECT (SELECT ${deep(8)} FROM t AS u WHERE u.i = t.i) AS x FROM t`],
  ["numbers by chance", `SELECT ${deep(8)} AS x, random() AS r FROM t`],
])("not among %s", (_name, sql) => {
  expect(bindings(sql)).toBe(0);
});

const TEXTS = deep(5, "CAST(CAST(", "s", " AS TIMESTAMP) AS VARCHAR)");

test.each([
  ["conditions of joins", `SELECT t.i FROM t JOIN t AS u ON ${TEXTS.replace("(s", "(t.s")} = u.s`],
  [
    "operands with queries",
    `SELECT ${deep(1, "CAST(CAST(", `(SELECT max(u.s || ${"'a' || ".repeat(70)}'b') FROM t AS u)`, " AS TIMESTAMP) AS VARCHAR)")} AS x FROM t`,
  ],
  [
    "operands with windows",
    `SELECT CAST(CAST(min(s || ${"'a' || ".repeat(70)}'b') OVER () AS TIMESTAMP) AS VARCHAR) AS x FROM t`,
  ],
])("BigQuery binds nothing by a subquery in %s", (_name, sql) => {
  expect(bindings(sql, "bigquery")).toBe(0);
});

test("BigQuery refuses a computed value over access rules, before an operand is bound", () => {
  const model = (name: string): object => ({
    name,
    tableReference: { table: name },
    columns: [{ name: "i", type: "INTEGER" }],
  });
  const rowLevelAccessControls = [{ name: "own", requiredProperties: [], condition: "i > 0" }];
  const models = [model("t"), model("free"), { ...model("ruled"), rowLevelAccessControls }];
  const both = manifestOf({ catalog: "c", schema: "s", models });
  const over = (other: string): string =>
    planned(`SELECT ${deep(7, "greatest(", "i", ", 2)")} AS x FROM t UNION ALL SELECT i FROM ${other}`, both, {
      source: "bigquery",
    }).sql;
  expect(over("free")).toContain("_once");
  expect(() => over("ruled")).toThrow(/not supported on BigQuery: an expression that can fail/);
});

test("an operand that is computed under a condition stays below it", () => {
  const large = deep(7, "CAST(CAST(", "s", " AS DOUBLE PRECISION) AS VARCHAR)");
  const { sql } = planned(`SELECT CASE WHEN i > 0 THEN ${large} ELSE 'none' END AS x FROM t`, manifest, {
    source: "duckdb",
  });
  expect(sql).toMatch(/^SELECT CASE WHEN t.i > 0 THEN /);
});

test("what cannot be bound is repeated, up to the budget", () => {
  const sql = `SELECT max(${deep(40)}) AS x FROM t`;
  expect(() => planned(sql, manifest, { source: "duckdb" })).toThrow(
    expect.objectContaining({ reason: "LIMIT_SIZE", span: expect.anything() }) as PlannerError,
  );
});
