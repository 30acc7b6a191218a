/** The plan as a value: names, reads, lineage, session, and the way from its text back to the caller's. */
import { describe, expect, test } from "vitest";
import { INPUT_LANGUAGE } from "../../src/planner/dialects/input.ts";
import { originOf } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import { print } from "../../src/planner/syntax/printer.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { plainPlan } from "./binding/plain.ts";

describe("columns carry the names the caller wrote", () => {
  test.each([
    ["SELECT n_name FROM nation", ["n_name"]],
    ["SELECT N_NAME FROM nation", ["n_name"]],
    ["SELECT n_name AS Name FROM nation", ["Name"]],
    ['SELECT n_name AS "a ""b"" c" FROM nation', ['a "b" c']],
    ["SELECT count(*) FROM nation", ["count(*)"]],
    ["SELECT sum( n_nationkey ) FROM nation", ["sum(n_nationkey)"]],
    ["SELECT n_name, n_name FROM nation", ["n_name", "n_name"]],
    ["SELECT 1 AS a, 2 AS A", ["a", "A"]],
    ["SELECT n.n_name || 'x' FROM nation n", ["n.n_name || 'x'"]],
    [`SELECT 1 AS ${"x".repeat(100)}`, ["x".repeat(100)]],
    ["VALUES (1, 2)", ["column1", "column2"]],
    ["SELECT 1 AS x UNION SELECT 2 AS y", ["x"]],
    ["SELECT * FROM region r NATURAL JOIN region s", ["r_regionkey", "r_name", "r_comment"]],
    ["SELECT * EXCEPT (n_comment) RENAME (n_name AS name) FROM nation", ["n_nationkey", "name", "n_regionkey"]],
  ])("%s", (sql, expected) => {
    expect(plainPlan(sql).columns.map((column) => column.name)).toEqual(expected);
  });

  test("while the printed names differ without case and fit every target", () => {
    const long = "x".repeat(100);
    const { sql } = plainPlan(`SELECT 1 AS a, 2 AS A, 3 AS ${long}, 4 AS ${long}`);
    expect(sql).toBe('SELECT 1 AS a, 2 AS "A_2", 3 AS column3, 4 AS column4');
  });
});

describe("reads name the needed columns only, once per model", () => {
  test.each([
    ["SELECT count(*) FROM nation", [["nation", []]]],
    ["SELECT n_name FROM nation WHERE n_regionkey = 1", [["nation", ["n_name", "n_regionkey"]]]],
    [
      "SELECT a.n_name FROM nation a JOIN nation b ON a.n_nationkey = b.n_regionkey",
      [["nation", ["n_nationkey", "n_name", "n_regionkey"]]],
    ],
    [
      "SELECT 1 FROM nation n WHERE EXISTS (SELECT * FROM region r WHERE r.r_regionkey = n.n_regionkey)",
      [
        ["nation", ["n_regionkey"]],
        ["region", ["r_regionkey"]],
      ],
    ],
    ["WITH region AS (SELECT n_name FROM nation) SELECT * FROM region", [["nation", ["n_name"]]]],
    ["SELECT 1", []],
  ])("%s", (sql, expected) => {
    expect(
      plainPlan(sql)
        .reads()
        .map((read) => [read.model, read.columns]),
    ).toEqual(expected);
  });
});

describe("lineage", () => {
  test.each([
    ["SELECT n_name FROM nation", [["nation.n_name"]]],
    ["SELECT n_name || r_name AS x, 1 FROM nation, region", [["nation.n_name", "region.r_name"], []]],
    [
      "WITH c AS (SELECT n_nationkey + n_regionkey AS k FROM nation) SELECT k * 2 FROM c",
      [["nation.n_nationkey", "nation.n_regionkey"]],
    ],
    [
      "SELECT x FROM (SELECT n_name AS x FROM nation UNION SELECT r_name FROM region) u",
      [["nation.n_name", "region.r_name"]],
    ],
    ["SELECT count(*) FROM nation", [[]]],
    ["SELECT x FROM nation, LATERAL (VALUES (n_name), (n_comment)) AS v(x)", [["nation.n_name", "nation.n_comment"]]],
  ])("%s", (sql, expected) => {
    expect(
      plainPlan(sql)
        .lineage()
        .map((each) => each.sources),
    ).toEqual(expected);
  });
});

test.each([
  "SELECT 'x' AS a, count(*) FROM nation GROUP BY a ORDER BY a",
  "SELECT count(*) FROM nation GROUP BY DATE '2024-01-01'",
  "SELECT n_name, rank() OVER (ORDER BY NULL) FROM nation",
])("constants that no engine reads as positions may be keys: %s", (sql) => expect(() => plainPlan(sql)).not.toThrow());

test("the session is what the dialect declares", () => {
  expect(plainPlan("SELECT 1").session).toEqual([{ name: "TimeZone", value: "UTC" }]);
  expect(plainPlan("SELECT 1", "duckdb").session).toEqual([{ name: "TimeZone", value: "UTC" }]);
});

test("offsets of the printed names lead back to the caller's text", () => {
  const sql = "SELECT  n_name,\n  upper( n_comment ) FROM nation WHERE n_regionkey > 5";
  const plan = plainPlan(sql, "duckdb");
  for (const name of ["n_name", "n_comment", "n_regionkey", "upper", "5"]) {
    const span = originOf(plan, plan.sql.indexOf(name));
    expect(span && sql.slice(span.start, span.end), name).toContain(name);
  }
});

describe("zones of timestamp literals", () => {
  const at = (text: string, timeZone: string) =>
    planned(`SELECT TIMESTAMPTZ '${text}' AS t`, manifestOf({ catalog: "c", schema: "s", models: [] }), {
      source: "postgres",
      timeZone,
    }).sql;
  test.each([
    ["2024-01-01 00:00:00", "UTC", "TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+00'"],
    ["2024-01-01 00:00:00", "Europe/Berlin", "TIMESTAMP '2024-01-01 00:00:00' AT TIME ZONE 'Europe/Berlin'"],
    ["2024-01-01 00:00:00Z", "Europe/Berlin", "TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+00'"],
    ["2024-01-01 00:00:00-03:30", "Europe/Berlin", "TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00-03:30'"],
  ])("%s in %s", (text, zone, expected) => {
    expect(at(text, zone)).toBe(`SELECT ${expected} AS t`);
  });

  const BERLIN = "TIMESTAMP '2024-01-01 00:00:00' AT TIME ZONE 'Europe/Berlin'";
  // A text becomes an instant wherever one stands beside it; each of them is the same literal.
  test.each([
    ["at > '2024-01-01'", `m.at > ${BERLIN}`],
    ["'2024-01-01' <= at", `${BERLIN} <= m.at`],
    ["at IN ('2024-01-01')", `m.at IN (${BERLIN})`],
    ["at BETWEEN '2024-01-01' AND now()", `m.at BETWEEN (${BERLIN}) AND now()`],
    ["at = ANY ('{2024-01-01}')", `m.at = ANY (ARRAY[${BERLIN}])`],
    ["at IS DISTINCT FROM '2024-01-01'", `m.at IS DISTINCT FROM ${BERLIN}`],
    ["at > CAST('2024-01-01' AS timestamptz)", `m.at > ${BERLIN}`],
    ["at > coalesce(NULL, at, '2024-01-01')", `m.at > coalesce(NULL, m.at, ${BERLIN})`],
    ["at > '2024-01-01 00:00:00Z'", "m.at > TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+00'"],
    ["local > '2024-01-01'", "m.local > TIMESTAMP '2024-01-01 00:00:00'"],
    ["name > '2024-01-01'", "m.name > '2024-01-01'"],
  ])("WHERE %s", (condition, expected) => {
    const columns = [
      { name: "at", type: "TIMESTAMPTZ" },
      { name: "local", type: "TIMESTAMP" },
      { name: "name", type: "VARCHAR" },
    ];
    const models = [{ name: "m", tableReference: { table: "m" }, columns }];
    const plan = planned(`SELECT 1 AS x FROM m WHERE ${condition}`, manifestOf({ catalog: "c", schema: "s", models }), {
      source: "postgres",
      timeZone: "Europe/Berlin",
    });
    expect(plan.sql.split(" WHERE ")[1]).toBe(expected);
  });
});

/** A caller who chooses the zone does not move what a rule lets through (docs/decisions/0011-time-zones.md#decision). */
describe("zone-less instants of the manifest are UTC whatever the caller's zone", () => {
  const T = "TIMESTAMPTZ '2024-01-01 00:00:00'";
  const manifest = (rule?: string) =>
    manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "m",
          tableReference: { table: "m" },
          primaryKey: "id",
          rowLevelAccessControls:
            rule === undefined
              ? []
              : [{ name: "r", requiredProperties: [{ name: "since", required: true }], condition: rule }],
          columns: [
            { name: "id", type: "INTEGER" },
            { name: "at", type: "TIMESTAMPTZ" },
            { name: "late", type: "BOOLEAN", isCalculated: true, expression: `at > ${T}` },
            { name: "other", type: "m", relationship: "later" },
            { name: "behind", type: "TIMESTAMPTZ", isCalculated: true, expression: "other.at" },
          ],
        },
        { name: "other_m", tableReference: { table: "o" }, columns: [{ name: "at", type: "TIMESTAMPTZ" }] },
        { name: "over", baseObject: "m", columns: [{ name: "old", type: "BOOLEAN", expression: `at < ${T}` }] },
      ],
      relationships: [
        { name: "later", models: ["m", "m"], joinType: "MANY_TO_ONE", condition: `m.id = m.id AND m.at > ${T}` },
      ],
      views: [{ name: "v", statement: `SELECT id FROM m WHERE at > ${T}` }],
      metrics: [
        {
          name: "by_late",
          baseObject: "m",
          dimension: [{ name: "k", type: "BOOLEAN", expression: `at > ${T}` }],
          measure: [{ name: "n", type: "BIGINT", expression: "count(*)" }],
          timeGrain: [],
        },
      ],
      cubes: [
        {
          name: "c",
          baseObject: "m",
          measures: [{ name: "n", type: "BIGINT", expression: `count(*) FILTER (WHERE at > ${T})` }],
          dimensions: [{ name: "k", type: "BOOLEAN", expression: `at < ${T}` }],
        },
      ],
    });
  const sqlOf = (sql: string, rule?: string) =>
    planned(sql, manifest(rule), {
      source: "postgres",
      timeZone: "America/New_York",
      session: new Map([["since", T]]),
    }).sql;

  test.each([
    ["a row rule", "SELECT id FROM m", `at > ${T} AND id > 0 OR @since IS NULL`],
    ["a session value", "SELECT id FROM m", "at > @since"],
    ["a rule with a subquery", "SELECT id FROM m", "EXISTS (SELECT 1 FROM other_m o WHERE o.at > @since)"],
    ["a calculated column", "SELECT late FROM m", undefined],
    ["a relationship", "SELECT m.other.id FROM m", undefined],
    ["a column over another model", "SELECT old FROM over", undefined],
    ["a view", "SELECT id FROM v", undefined],
    ["a metric", "SELECT k, n FROM by_late", undefined],
    ["a cube", "SELECT k, n FROM c", undefined],
  ])("%s", (_what, sql, rule) => {
    const text = sqlOf(sql, rule);
    expect(text).toContain("TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+00'");
    expect(text).not.toContain("America/New_York");
  });

  test("the caller's own literals beside them are in its zone", () => {
    const text = sqlOf(`SELECT v.id FROM v JOIN c ON c.k JOIN m ON m.late AND m.at > ${T}`, "at > @since");
    expect(text.match(/America\/New_York/g)).toHaveLength(1);
  });
});

/**
 * `dry-plan` without a data source prints the input language (docs/decisions/0012-planning-without-a-source.md): the output parses
 * to the same query.
 */
test.each([
  "SELECT n_name, count(*) FROM nation GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
  "WITH customer AS (SELECT c_custkey AS k FROM customer) SELECT k FROM customer QUALIFY row_number() OVER (ORDER BY k) = 1",
  "SELECT 7 / 2, TRY_CAST('x' AS integer), DATE '2024-01-01' + INTERVAL '1 month' FETCH FIRST 1 ROW ONLY",
  "SELECT * EXCEPT (n_comment) FROM nation n JOIN region r ON r.r_regionkey = n.n_regionkey",
])("the input language is stable: %s", (sql) => {
  const { sql: text } = plainPlan(sql, "input");
  expect(text).not.toContain("NULLS");
  expect(print(parseQuery(text, { limits: DEFAULT_LIMITS }), INPUT_LANGUAGE)).toBe(text);
});
