/** The order of texts: what a PostgreSQL with a collation makes of it, by itself and when code points are asked for. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifestOf, type PlanSettings, planned } from "../../../support/plan.ts";
import { startPostgres, type TestDatabase } from "../../../support/postgres.ts";

/** In en-US: _x a ä B É Z. By code points: B Z _x a ä É. */
const WORDS = ["a", "B", "É", "Z", "_x", "ä"];

const calculated = (name: string, expression: string, type = "VARCHAR"): object => ({
  ...{ name, type, expression },
  isCalculated: true,
});

const model = (name: string, ...more: object[]) => ({
  name,
  tableReference: { schema: "public", table: "words" },
  primaryKey: ["id"],
  columns: [
    { name: "id", type: "INTEGER" },
    { name: "w", type: "VARCHAR" },
    { name: "g", type: "INTEGER" },
    { name: "odd", type: "" },
    ...more,
  ],
});

const EARLY = calculated("early", "w < 'b'", "BOOLEAN");

const manifest = manifestOf({
  ...{ catalog: "c", schema: "public" },
  models: [
    model("words"),
    model(
      "computed",
      { name: "peers", type: "peers", relationship: "with_peers" },
      calculated("first_peer", "min(peers.w)"),
      calculated("place", "row_number() OVER (ORDER BY w)", "BIGINT"),
      EARLY,
    ),
    model("peers"),
    {
      ...model("ruled", EARLY),
      rowLevelAccessControls: [{ name: "below_b", condition: "w < 'b'", requiredProperties: [] }],
    },
  ],
  relationships: [
    { name: "with_peers", models: ["computed", "peers"], joinType: "ONE_TO_MANY", condition: "computed.g = peers.g" },
  ],
  views: [{ name: "sorted", statement: "SELECT w FROM words ORDER BY w LIMIT 2" }],
});

let database: TestDatabase | undefined;
let rowsOf: (sql: string, textOrder?: PlanSettings["textOrder"]) => Promise<string>;

beforeAll(async () => {
  database = await startPostgres({ locale: "en-US" });
  const client = await database.connect();
  await client.query("CREATE TABLE words (id int, w text, g int, odd text)");
  await client.query("INSERT INTO words SELECT i, w, 1, w FROM unnest($1::text[]) WITH ORDINALITY AS t (w, i)", [
    WORDS,
  ]);
  rowsOf = async (sql, textOrder) => {
    const plan = planned(sql, manifest, { source: "postgres", ...(textOrder && { textOrder }) });
    const { rows } = await client.query<unknown[]>({ text: plan.sql, rowMode: "array" });
    return rows.map((row) => row.map(String).join("|")).join(" ");
  };
});
afterAll(() => database?.stop());

const warningsOf = (sql: string, textOrder: PlanSettings["textOrder"], source: PlanSettings["source"] = "postgres") =>
  planned(sql, manifest, { source, ...(textOrder && { textOrder }) }).warnings.map(({ code, message, span, hint }) => ({
    code,
    at: span && sql.slice(span.start, span.end),
    message,
    hint,
  }));

const UP = "_x a ä B É Z";
const UP_C = "B Z _x a É ä";
const DOWN = "Z É B ä a _x";
const DOWN_C = "ä É a _x Z B";

/** SQL, the place that is told, and its rows by the source and by code points. */
const PLACES: readonly (readonly [sql: string, at: string, bySource: string, byCodePoints: string])[] = [
  ["SELECT w FROM words ORDER BY w", "w", UP, UP_C],
  ["SELECT w AS x FROM words ORDER BY x DESC", "x DESC", DOWN, DOWN_C],
  ["SELECT w FROM words ORDER BY 1 DESC", "1 DESC", DOWN, DOWN_C],
  ["SELECT w FROM words ORDER BY w || '.'", "w || '.'", UP, UP_C],
  ["SELECT w FROM words ORDER BY g, w LIMIT 2", "w", "_x a", "B Z"],
  ["SELECT DISTINCT w FROM words ORDER BY w", "w", UP, UP_C],
  ["SELECT DISTINCT w AS x, g FROM words ORDER BY g, 1 LIMIT 1", "1", "_x|1", "B|1"],
  ["SELECT DISTINCT w || '.' FROM words ORDER BY w || '.' LIMIT 1", "w || '.'", "_x.", "B."],
  ["SELECT DISTINCT ON (w) w, id FROM words ORDER BY w, id LIMIT 1", "w", "_x|5", "B|2"],
  ["SELECT w FROM words WHERE id < 3 UNION SELECT w FROM words ORDER BY w", "w", UP, UP_C],
  ["SELECT w FROM words EXCEPT SELECT 'a' ORDER BY 1 LIMIT 1", "1", "_x", "B"],
  ["(SELECT w FROM words) UNION ALL SELECT 'b' ORDER BY w DESC LIMIT 1", "w DESC", "Z", "ä"],
  ["VALUES ('a'), ('B') ORDER BY 1", "1", "a B", "B a"],
  [
    "WITH RECURSIVE r AS ((SELECT 1 AS n, w FROM words ORDER BY 2 LIMIT 1) UNION ALL SELECT n + 1, w || 'x' FROM r WHERE n < 2) SELECT w FROM r",
    "2",
    "_x _xx",
    "B Bx",
  ],
  [
    "WITH RECURSIVE r AS ((SELECT DISTINCT 1 AS n, w FROM words ORDER BY w LIMIT 1) UNION ALL SELECT n + 1, 'x' || w FROM r WHERE n < 2) SELECT w FROM r",
    "w",
    "_x x_x",
    "B xB",
  ],
  ["SELECT w, count(*) FROM words GROUP BY w ORDER BY w LIMIT 1", "w", "_x|1", "B|1"],
  ["SELECT w FROM words QUALIFY row_number() OVER (ORDER BY id) > 1 ORDER BY w LIMIT 1", "w", "_x", "B"],
  ["SELECT DISTINCT w FROM words QUALIFY count(*) OVER () > 1 ORDER BY w LIMIT 1", "w", "_x", "B"],
  ["SELECT w FROM words ORDER BY w FETCH FIRST 1 ROW WITH TIES", "w", "_x", "B"],
  ["WITH c AS (SELECT w FROM words ORDER BY w LIMIT 1) SELECT w FROM c", "w", "_x", "B"],
  ["SELECT w FROM (SELECT w FROM words ORDER BY w LIMIT 1) AS q", "w", "_x", "B"],
  ["SELECT count(*) FROM words WHERE w < 'b'", "w < 'b'", "3", "4"],
  ["SELECT count(*) FROM words WHERE 'b' >= w", "'b' >= w", "3", "4"],
  ["SELECT 'a' < 'B'", "'a' < 'B'", "true", "false"],
  ["SELECT count(*) FROM words WHERE w BETWEEN 'a' AND 'b'", "w BETWEEN 'a' AND 'b'", "2", "1"],
  ["SELECT count(*) FROM words WHERE (g, w) < (1, 'b')", "(g, w) < (1, 'b')", "3", "4"],
  [
    "SELECT count(*) FROM words WHERE w > ALL (SELECT w FROM words WHERE id = 1)",
    "w > ALL (SELECT w FROM words WHERE id = 1)",
    "4",
    "2",
  ],
  ["SELECT count(*) FROM words WHERE w < ANY (ARRAY['a', 'b'])", "w < ANY (ARRAY['a', 'b'])", "3", "4"],
  ["SELECT ARRAY['a'] < ARRAY['B']", "ARRAY['a'] < ARRAY['B']", "true", "false"],
  ["SELECT min(w), max(w) FROM words", "min(w)", "_x|Z", "B|ä"],
  ["SELECT lower(max(w)) FROM words WHERE id IN (1, 3)", "max(w)", "é", "é"],
  ["SELECT count(*) FROM words WHERE w < (SELECT max(w) FROM words)", "max(w)", "5", "5"],
  ["SELECT min(w) < max(w) FROM words", "min(w)", "true", "true"],
  ["SELECT min(w) || max(w) || 'É' FROM words", "min(w)", "_xZÉ", "BäÉ"],
  ["SELECT greatest('a', 'B'), least(w, 'b') FROM words WHERE id = 4", "greatest('a', 'B')", "B|b", "a|Z"],
  ["SELECT lower(greatest(w, 'a')) FROM words WHERE id = 3", "greatest(w, 'a')", "é", "é"],
  ["SELECT min(w) OVER (ORDER BY id) FROM words WHERE id < 3", "min(w) OVER (ORDER BY id)", "a a", "a B"],
  ["SELECT first_value(w) OVER (ORDER BY w) FROM words LIMIT 1", "w", "_x", "B"],
  ["SELECT first_value(w) OVER x FROM words WINDOW x AS (ORDER BY w) LIMIT 1", "w", "_x", "B"],
  ["SELECT string_agg(w, ' ' ORDER BY w) FROM words", "w", UP, UP_C],
  ["SELECT string_agg(DISTINCT w, ' ' ORDER BY w) FROM words", "w", UP, UP_C],
  ["SELECT lower(string_agg(DISTINCT w, ' ' ORDER BY w)) FROM words WHERE id > 2", "w", "_x ä é z", "z _x é ä"],
  ["SELECT array_agg(DISTINCT w ORDER BY w DESC) FROM words WHERE id < 3", "w", "B,a", "a,B"],
  ["SELECT percentile_disc(0) WITHIN GROUP (ORDER BY w) FROM words", "w", "_x", "B"],
  ["SELECT lower(mode() WITHIN GROUP (ORDER BY w)) FROM words WHERE id IN (3, 6)", "w", "ä", "é"],
  [
    "SELECT w FROM words AS a WHERE EXISTS (SELECT 1 FROM words AS b WHERE b.w < a.w AND b.id = 1) ORDER BY id LIMIT 1",
    "b.w < a.w",
    "B",
    "É",
  ],
  ["SELECT count(*) FROM words AS a JOIN words AS b ON a.w < b.w AND b.id = 2", "a.w < b.w", "3", "0"],
  [
    "WITH RECURSIVE r AS (SELECT 1 AS n, 'a' AS t UNION ALL SELECT n + 1, least(t, 'B') FROM r WHERE n < 2) SELECT t FROM r WHERE n = 2",
    "least(t, 'B')",
    "a",
    "B",
  ],
];

describe("what a caller writes", () => {
  test.each(PLACES)("%s", async (sql, at, bySource, byCodePoints) => {
    expect(await rowsOf(sql)).toBe(bySource);
    expect(await rowsOf(sql, "code points")).toBe(byCodePoints);
    expect(warningsOf(sql, "warn")[0]).toMatchObject({ code: "COLLATION_DEPENDENT", at });
    expect(warningsOf(sql, "code points")).toEqual([]);
    expect(warningsOf(sql, undefined)).toEqual([]);
    expect(warningsOf(sql, "warn", "duckdb")).toEqual([]);
  });

  test.each([
    "SELECT w FROM words WHERE w = 'a' OR w IN ('b') OR w LIKE 'c%' OR w IS NOT DISTINCT FROM 'x'",
    "SELECT w, count(*) FROM words GROUP BY w ORDER BY count(*)",
    "SELECT DISTINCT w FROM words",
    "SELECT w FROM words UNION SELECT 'a'",
    "SELECT max(length(w)), greatest(1, 2), min(id) FROM words WHERE id < 3 AND g BETWEEN 0 AND 2",
    "SELECT id FROM words WHERE (id, g) < (3, 3) ORDER BY id, DATE '2024-01-01' + id",
    "SELECT count(*) OVER (PARTITION BY w ORDER BY id) FROM words",
  ])("%s depends on no collation", (sql) => {
    expect(warningsOf(sql, "warn")).toEqual([]);
    expect(planned(sql, manifest, { source: "postgres", textOrder: "code points" }).sql).not.toContain("COLLATE");
  });

  test("each kind of place is told once", () => {
    const sql = "SELECT min(w), min(w || 'x') FROM words WHERE w < 'a' OR w < 'b' ORDER BY max(w)";
    expect(
      warningsOf(sql, "warn")
        .map(({ message }) => message.split(" puts")[0])
        .toSorted(),
    ).toEqual(["<", "ORDER BY", "max", "min"].toSorted());
  });
});

describe("what the manifest computes", () => {
  const COMPUTED: readonly (readonly [sql: string, bySource: string, byCodePoints: string])[] = [
    ["SELECT first_peer FROM computed WHERE id = 1", "_x", "B"],
    ["SELECT count(*) FROM computed WHERE early", "3", "4"],
    ["SELECT place FROM computed WHERE id = 1", "2", "4"],
    ["SELECT count(*) FROM sorted WHERE w = 'B'", "0", "1"],
  ];
  test.each(COMPUTED)("%s", async (sql, bySource, byCodePoints) => {
    expect(await rowsOf(sql)).toBe(bySource);
    expect(await rowsOf(sql, "code points")).toBe(byCodePoints);
    const [warning, ...others] = warningsOf(sql, "warn");
    expect(warning).toMatchObject({
      code: "COLLATION_DEPENDENT",
      message: /^an expression of the manifest puts texts/,
    });
    expect(others).toEqual([]);
  });
});

describe("under a row rule", () => {
  test("the rule means what the source makes of it", async () => {
    const sql = "SELECT w FROM ruled ORDER BY w";
    expect(await rowsOf(sql)).toBe("_x a ä");
    expect(await rowsOf(sql, "code points")).toBe("_x a ä");
    expect(warningsOf(sql, "code points")).toEqual([]);
    expect(warningsOf("SELECT id FROM ruled", "warn")).toEqual([]);
  });

  test("the caller's own condition is by code points wherever it stands", async () => {
    // 'B' and 'Z' come before '_x' by code points alone, and the rule leaves them out.
    const sql = "SELECT string_agg(w, ' ' ORDER BY id) FROM ruled WHERE w <= 'a'";
    expect([await rowsOf(sql), await rowsOf(sql, "code points")]).toEqual(["a _x", "a _x"]);
    const above = "SELECT string_agg(w, ' ' ORDER BY id) FROM ruled WHERE w > 'Z'";
    expect([await rowsOf(above), await rowsOf(above, "code points")]).toEqual(["null", "a _x ä"]);
  });

  test("what the modeller computes keeps the order of the source, and that is told", async () => {
    const sql = "SELECT count(*) FROM ruled WHERE early";
    expect(await rowsOf(sql, "code points")).toBe("3");
    expect(warningsOf(sql, "code points")).toMatchObject([{ code: "COLLATION_DEPENDENT", at: undefined }]);
  });
});

describe("what cannot be had in the order of code points is told", () => {
  test.each([
    ["SELECT id FROM words ORDER BY odd", "ORDER BY may put texts in the order of the source's collation", "odd"],
    ["SELECT max(odd) FROM words", "max may put texts in the order of the source's collation", "max(odd)"],
  ])("%s", (sql, message, at) => {
    expect(warningsOf(sql, "code points")).toEqual([
      { code: "COLLATION_DEPENDENT", message, at, hint: "Declare the type of the column, or write CAST(… AS text)." },
    ]);
  });
});

test.each([
  ["SELECT greatest(w, 'c') AS x, count(*) FROM words GROUP BY 1 ORDER BY 1 DESC LIMIT 2", "ä|1 É|1"],
  ["SELECT least(w, 'b'), count(*) FROM words GROUP BY least(w, 'b') HAVING least(w, 'b') > 'a' ORDER BY 1", "b|2"],
])("what is put in order inside a key of GROUP BY is the key in every clause: %s", async (sql, expected) => {
  expect(await rowsOf(sql, "code points")).toBe(expected);
});
