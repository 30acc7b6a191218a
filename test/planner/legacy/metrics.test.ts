/** Metrics, roll-ups and cumulative metrics of old manifests, on DuckDB (docs/spec/planner.md#metrics). */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const cumulative = (name: string, changes: object = {}, measure: object = {}): object => ({
  name,
  baseObject: "sale",
  measure: { name: "total", type: "INTEGER", operator: "sum", refColumn: "amount", ...measure },
  window: { name: "month", refColumn: "sold", timeUnit: "MONTH", start: "2024-01-01", end: "2024-03-31", ...changes },
});

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "sale",
      tableReference: { table: "sale" },
      columns: [
        { name: "region", type: "VARCHAR" },
        { name: "kind", type: "VARCHAR" },
        { name: "amount", type: "INTEGER" },
        { name: "sold", type: "DATE" },
      ],
    },
    {
      name: "on_sales",
      baseObject: "Sales",
      primaryKey: "region",
      columns: [
        { name: "region", type: "VARCHAR" },
        { name: "total", type: "INTEGER" },
        { name: "half", type: "INTEGER", expression: "total / 2" },
        { name: "label", type: "VARCHAR", isCalculated: true, expression: "region || ':' || half" },
        { name: "sales", type: "sale", relationship: "kinds" },
        { name: "kinds", type: "BIGINT", isCalculated: true, expression: "count(DISTINCT sales.kind)" },
      ],
    },
    { name: "on_trailing", baseObject: "Trailing", columns: [{ name: "total", type: "INTEGER" }] },
    {
      name: "on_view",
      baseObject: "big_sales",
      columns: [
        { name: "amount", type: "INTEGER" },
        { name: "place", type: "BIGINT", isCalculated: true, expression: "row_number() OVER (ORDER BY amount DESC)" },
        { name: "nowhere", type: "INTEGER" },
        { name: "bad", type: "INTEGER", expression: "amount + nope" },
        { name: "summed", type: "INTEGER", expression: "sum(amount)" },
      ],
      rowLevelAccessControls: [
        { name: "cap", requiredProperties: [{ name: "cap", required: true }], condition: "amount < @cap" },
      ],
    },
    { name: "on_on_view", baseObject: "on_view", columns: [{ name: "amount", type: "INTEGER" }] },
    { name: "round", baseObject: "round_view", columns: [{ name: "amount", type: "INTEGER" }] },
    { name: "twice", baseObject: "Circle", columns: [{ name: "x", type: "INTEGER" }] },
  ],
  relationships: [
    {
      name: "kinds",
      models: ["on_sales", "sale"],
      joinType: "ONE_TO_MANY",
      condition: "on_sales.region = sale.region",
    },
  ],
  views: [
    { name: "big_sales", statement: "SELECT amount, region FROM sale WHERE amount > 3" },
    { name: "round_view", statement: "SELECT x.amount FROM (SELECT * FROM round) AS x" },
  ],
  metrics: [
    {
      name: "Sales",
      baseObject: "sale",
      dimension: [
        { name: "region", type: "VARCHAR" },
        { name: "sort", type: "VARCHAR", expression: "upper(kind)" },
      ],
      measure: [
        { name: "total", type: "INTEGER", expression: "sum(amount)" },
        { name: "n", type: "BIGINT", expression: "count(*)" },
      ],
      timeGrain: [{ name: "sold", refColumn: "sold", dateParts: ["YEAR", "MONTH"] }],
    },
    {
      name: "Best",
      baseObject: "Sales",
      dimension: [],
      measure: [{ name: "most", type: "INTEGER", expression: "max(total)" }],
    },
    {
      name: "Labelled",
      baseObject: "sale",
      dimension: [
        { name: "label", type: "VARCHAR", expression: "'all'" },
        { name: "region", type: "VARCHAR" },
      ],
      measure: [{ name: "n", type: "BIGINT", expression: "count(*)" }],
      timeGrain: [{ name: "sold", refColumn: "sold", dateParts: ["YEAR"] }],
    },
    { name: "Empty", baseObject: "sale", dimension: [{ name: "region", type: "VARCHAR" }], measure: [] },
    {
      name: "Broken",
      baseObject: "sale",
      dimension: [],
      measure: [{ name: "x", type: "INTEGER", expression: "sum(nope)" }],
    },
    {
      name: "Circle",
      baseObject: "Circle",
      dimension: [],
      measure: [{ name: "x", type: "INTEGER", expression: "count(*)" }],
    },
  ],
  cumulativeMetrics: [
    cumulative("Trailing"),
    { ...(cumulative("Endless") as object), baseObject: "Endless" },
    cumulative("Counted", {}, { operator: "count" }),
    cumulative("Timeless", { refColumn: "amount" }),
    cumulative("Unitless", { timeUnit: "FORTNIGHT" }),
    cumulative("Dateless", { start: "soon" }),
    cumulative("Worded", {}, { operator: "sum(x); drop" }),
  ],
  dateSpine: { unit: "DAY", start: "2024-01-01", end: "2030-12-31" },
});

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run(`CREATE TABLE sale AS SELECT * FROM (VALUES
    ('n', 'a', 1, DATE '2024-01-10'), ('n', 'b', 2, DATE '2024-01-20'), ('s', 'a', 4, DATE '2024-02-10'),
    ('s', 'a', 8, DATE '2024-03-31'), ('s', 'b', 8, DATE '2024-03-31'), ('n', 'a', 100, DATE '2025-01-01'))
    AS t(region, kind, amount, sold)`);
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const session = new Map([["cap", "50"]]);

const rowsOf = async (sql: string): Promise<unknown> => {
  const reader = await connection.runAndReadAll(planned(sql, manifest, { session }).sql);
  return reader.getRowsJson().map((row) => row.map((value) => (value === null ? null : String(value))).join(" "));
};

describe("a metric is grouped by what the query names", () => {
  test.each([
    ["one dimension", 'SELECT region, total FROM "Sales" ORDER BY 1', ["n 103", "s 20"]],
    ["both", 'SELECT sort, region, n FROM "Sales" ORDER BY 1, 2', ["A n 2", "A s 2", "B n 1", "B s 1"]],
    ["none: the grand total", 'SELECT total, n FROM "Sales"', ["123 6"]],
    ["nothing at all: every group", 'SELECT count(*) FROM "Sales"', ["4"]],
    ["a dimension in WHERE alone", "SELECT total FROM \"Sales\" WHERE region = 's'", ["20"]],
    ["a measure in WHERE", 'SELECT region FROM "Sales" WHERE total > 50', ["n"]],
    ["by *", 'SELECT * FROM "Sales" ORDER BY 1, 2', ["n A 101 2", "n B 2 1", "s A 12 2", "s B 8 1"]],
    ["under an alias", 'SELECT m.region FROM "Sales" AS m ORDER BY m.total DESC', ["n", "s"]],
    ["nothing of one without dimensions", 'SELECT count(*) FROM "Best"', ["1"]],
    ["over another metric, which keeps its own groups", 'SELECT most FROM "Best"', ["101"]],
    ["twice in one query", 'SELECT a.total, b.n FROM "Sales" a CROSS JOIN "Sales" b', ["123 6"]],
  ])("%s", async (_what, sql, rows) => expect(await rowsOf(sql)).toEqual(rows));

  test.each([
    ["no measure", 'SELECT region FROM "Empty"', "MANIFEST_SCHEMA", "has no measure"],
    ["an unknown column", 'SELECT x FROM "Broken"', "COLUMN_NOT_FOUND", "nope"],
    ["itself as base", 'SELECT x FROM "Circle"', "MANIFEST_CYCLE", "Circle → Circle"],
    ["a column it lacks", 'SELECT kind FROM "Sales"', "COLUMN_NOT_FOUND", "kind"],
  ])("%s is refused", (_what, sql, reason, message) => {
    expect(() => planned(sql, manifest)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });
});

describe("roll_up", () => {
  test("groups by the unit of a time grain", async () => {
    expect(
      await rowsOf(`SELECT sold, region, total FROM roll_up("Sales", sold, YEAR) WHERE sort = 'A' ORDER BY 1, 2`),
    ).toEqual(["2024-01-01 00:00:00 n 1", "2024-01-01 00:00:00 s 12", "2025-01-01 00:00:00 n 100"]);
  });

  test("stands for itself, whatever surrounds it", async () => {
    const around = "WITH sale AS (SELECT 'x' AS region, 'y' AS kind, 5 AS amount, DATE '1999-01-01' AS sold)";
    expect(await rowsOf(`${around} SELECT sum(total) FROM roll_up("Sales", sold, YEAR)`)).toEqual(["123"]);
    expect(await rowsOf(`${around} SELECT max(total) FROM "Trailing"`)).toEqual(["20"]);
    expect(
      await rowsOf('SELECT t.at, t.r FROM roll_up("Sales", sold, YEAR) AS t (at, r) ORDER BY t.at DESC LIMIT 1'),
    ).toEqual(["2025-01-01 00:00:00 n"]);
  });

  test.each([
    ["an unknown grain", 'SELECT 1 FROM roll_up("Sales", made, YEAR)', "COLUMN_NOT_FOUND"],
    ["a unit it has not", 'SELECT 1 FROM roll_up("Sales", sold, DAY)', "INVALID_QUERY"],
    ["an unknown metric", 'SELECT 1 FROM roll_up("Nope", sold, YEAR)', "MODEL_NOT_FOUND"],
    ["two arguments", 'SELECT 1 FROM roll_up("Sales", sold)', "INVALID_QUERY"],
  ])("%s is refused", (_what, sql, reason) => {
    expect(() => planned(sql, manifest)).toThrow(expect.objectContaining({ reason }));
  });
});

describe("a cumulative metric looks back from every day of a period, and counts a row once", () => {
  test.each([
    [
      "sum",
      'SELECT month, total FROM "Trailing" ORDER BY 1',
      ["2024-01-01 00:00:00 3", "2024-02-01 00:00:00 7", "2024-03-01 00:00:00 20"],
    ],
    ["count", 'SELECT total FROM "Counted" ORDER BY month', ["2", "3", "3"]],
  ])("%s", async (_what, sql, rows) => expect(await rowsOf(sql)).toEqual(rows));

  test.each([
    ["a window over numbers", "Timeless", "cannot be window as it is not date/timestamp type"],
    ["an unknown unit", "Unitless", '"FORTNIGHT" is no time unit'],
    ["a start that is no date", "Dateless", '"soon" is no date'],
    ["an operator that is no name", "Worded", "is no function"],
    ["itself as its base", "Endless", "Endless → Endless"],
  ])("%s is refused", (_what, name, message) => {
    expect(() => planned(`SELECT * FROM "${name}"`, manifest)).toThrow(
      expect.objectContaining({
        reason: expect.stringMatching(/^MANIFEST_(SCHEMA|CYCLE)$/),
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe("the steps of a cumulative metric are bounded, for the source makes a row of each", () => {
  const spanning = (unit: string, start: string, end: string) => {
    const sale = {
      ...{ name: "sale", tableReference: { table: "sale" } },
      columns: [
        { name: "amount", type: "INTEGER" },
        { name: "sold", type: "DATE" },
      ],
    };
    const metrics = [cumulative("Trailing", { start, end })];
    const dateSpine = { unit, start: "0001-01-01", end: "9999-12-31" };
    return manifestOf({ catalog: "c", schema: "s", models: [sale], cumulativeMetrics: metrics, dateSpine });
  };
  const read = (unit: string, start: string, end: string): string =>
    planned('SELECT * FROM "Trailing"', spanning(unit, start, end)).sql;

  test.each([
    ["YEAR", "1900-01-01", "2100-01-01"],
    ["DAY", "1900-01-01", "2100-01-01"],
    ["HOUR", "1970-01-01", "2077-12-31"],
    ["MINUTE", "2024-01-01", "2024-12-31"],
    ["SECOND", "2024-01-01", "2024-01-08"],
  ])("%s from %s to %s", (unit, start, end) => expect(read(unit, start, end)).toContain(end));

  test.each([
    ["DAY", "1700-01-01", "2100-01-01", "longer than 100000 days"],
    ["HOUR", "1900-01-01", "2100-01-01", "longer than 1000000 times one hour"],
    ["minute", "2020-01-01", "2024-01-01", "longer than 1000000 times one minute"],
    ["SECOND", "1900-01-01", "2100-01-01", "longer than 1000000 times one second"],
    ["SECOND", "2024-01-01", "2024-02-01", "longer than 1000000 times one second"],
  ])("%s from %s to %s is refused", (unit, start, end, message) => {
    expect(() => read(unit, start, end)).toThrow(
      expect.objectContaining({ reason: "MANIFEST_SCHEMA", message: expect.stringContaining(message) }),
    );
  });
});

describe("a model that is built on a metric or a view", () => {
  test.each([
    ["has a metric's rows whatever is named of it", "SELECT total FROM on_sales ORDER BY 1", ["2", "8", "12", "101"]],
    ["without anything named", "SELECT count(*) FROM on_sales", ["4"]],
    ["its expressions are over the base's columns", "SELECT half FROM on_sales ORDER BY 1", ["1", "4", "6", "50"]],
    ["and calculated ones over its own", "SELECT label FROM on_sales WHERE half > 5 ORDER BY 1", ["n:50", "s:6"]],
    ["and over relationships", "SELECT DISTINCT region, kinds FROM on_sales ORDER BY 1", ["n 2", "s 2"]],
    ["by a relationship the other way", "SELECT count(*) FROM sale s JOIN on_sales o ON o.region = s.region", ["12"]],
    ["over a cumulative metric", "SELECT total FROM on_trailing ORDER BY 1", ["3", "7", "20"]],
    ["over a view, with a rule of its own", "SELECT amount FROM on_view ORDER BY 1", ["4", "8", "8"]],
    ["below what is computed over all rows", "SELECT min(place), max(amount) FROM on_view", ["1 8"]],
    ["and under a model over it", "SELECT count(*), max(amount) FROM on_on_view", ["3 8"]],
  ])("%s", async (_what, sql, rows) => expect(await rowsOf(sql)).toEqual(rows));

  test.each([
    ["a column that the base lacks", "SELECT nowhere FROM on_view", "MANIFEST_EXPRESSION", 'is not in "big_sales"'],
    ["an unknown name", "SELECT bad FROM on_view", "MANIFEST_EXPRESSION", '"nope" not found (at character 10 of its'],
    ["an aggregate", "SELECT summed FROM on_view", "MANIFEST_EXPRESSION", "an aggregate function is not allowed in"],
    ["itself by a view", "SELECT amount FROM round", "MANIFEST_CYCLE", "round → round"],
    ["a metric of itself", "SELECT x FROM twice", "MANIFEST_CYCLE", "Circle → Circle"],
  ])("%s is refused", (_what, sql, reason, message) => {
    expect(() => planned(sql, manifest, { session })).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });
});

// PostgreSQL refuses `GROUP BY 'all'`.
test.each([
  ['SELECT label, n FROM "Labelled"', "GROUP BY 1)"],
  ['SELECT label, region, n FROM "Labelled"', "GROUP BY 1, sale.region)"],
  ['SELECT label, n FROM roll_up("Labelled", sold, YEAR)', "'all' AS label,"],
])("a dimension that is a constant is grouped by its position: %s", (sql, expected) => {
  const planText = planned(sql, manifest, { source: "postgres" }).sql;
  expect(planText).toContain(expected);
  expect(planText).not.toMatch(/GROUP BY [^)]*'all'/);
});
