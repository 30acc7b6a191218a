/** Columns of JSON in Parquet: read as texts where that is the same, and left to native DuckDB where it may not be. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqlText } from "../../../src/connectors/duckdb/sql-text.ts";
import { extractsTexts, readsAsText } from "../../../src/connectors/duckdb-wasm/json-columns.ts";
import { makeWith, playground } from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, openBoth, outcomeOf } from "./both-engines.ts";

describe("a statement asks of a column what a text tells as well", () => {
  it.each([
    ["by functions of JSON", "SELECT json_extract_string(t.j, '$.a'), json_type(j) FROM t", true],
    ["for its text", 'SELECT CAST(t.j AS TEXT), CAST("T"."J" AS VARCHAR) FROM t', true],
    ["whether it is there", "SELECT 1 FROM t WHERE t.a = 1 AND t.j IS NOT NULL AND (j IS NULL)", true],
    [
      "beside casts of what is made of it",
      "SELECT CAST(translate(json_extract_string(t.j, '$.a'), '_', '?') AS INTEGER) FROM t",
      true,
    ],
    ["with its name in a constant", "SELECT 'CAST(j AS INTEGER)' FROM t", true],
    ["with its name in others", 'SELECT t.jj, t.xj, t."a j" FROM t', true],
    ["never", "SELECT count(*) FROM t", true],
    ["by a cast", "SELECT CAST(t.j AS INTEGER) FROM t", false],
    ["by a cast that may fail", "SELECT TRY_CAST(t.j AS DOUBLE) FROM t", false],
    ["by a cast to texts", "SELECT CAST(t.j AS TEXT[]) FROM t", false],
    ["inside of other functions", "SELECT coalesce(t.j, '1') FROM t", false],
    ["behind a comparison", "SELECT 1 FROM t WHERE 5 = t.j", false],
    ["before a comparison", "SELECT 1 FROM t WHERE json_type(t.j) = 'x' AND t.j > 1", false],
    ["by the truth of a comparison", "SELECT 1 FROM t WHERE 5 < t.j IS NULL", false],
    ["by the truth of a range", "SELECT 1 FROM t WHERE a BETWEEN 1 AND t.j IS NULL", false],
    ["as it is", "SELECT t.j FROM t", false],
    ["by another name", 'SELECT "j" AS k FROM t', false],
    ["in another case", "SELECT T.J + 1 FROM t", false],
    ["among all", "SELECT * FROM t", false],
    ["among all of a table", "SELECT 1, t.* FROM t", false],
    ["between names with quotes", `SELECT t."it's", t.j + 1, t."it's" FROM t`, false],
    ["to join by", "SELECT 1 FROM t JOIN u USING (j)", false],
  ])("%s", (_, sql, may) => {
    expect(readsAsText(sql, "j")).toBe(may);
  });

  it("whatever it is called", () => {
    expect(readsAsText('SELECT json_type(t."a+(""") FROM t', 'a+("')).toBe(true);
    expect(readsAsText('SELECT t."a+(""" + 1 FROM t', 'a+("')).toBe(false);
  });
});

describe("what a statement extracts is asked for what a text tells as well", () => {
  it.each([
    ["never", "SELECT count(*) FROM t", true],
    [
      "by functions of JSON",
      "SELECT json_type(json_extract(t.j, '$.a')), json_extract_string(json_extract(j, '$[0]'), '$.b') FROM t",
      true,
    ],
    [
      "for its text",
      "SELECT upper(CAST(json_extract(json_extract(CAST(t.j AS TEXT), '$.a'), '$.b') AS VARCHAR)) FROM t",
      true,
    ],
    [
      "whether it is there",
      "SELECT 1 FROM t WHERE json_extract(j, '$.a') IS NOT NULL OR (json_extract(j, '$.b') IS NULL)",
      true,
    ],
    ["in a constant", "SELECT 'TRY_CAST(json_extract(j) AS INTEGER)' FROM t", true],
    ["for what is made of its text", "SELECT CAST(CAST(json_extract(j, '$.a') AS TEXT) AS INTEGER) FROM t", true],
    ["by a cast", "SELECT CAST(json_extract(j, '$.a') AS INTEGER) FROM t", false],
    ["by a cast that may fail", "SELECT TRY_CAST(json_extract(t.\"a(\", '$.a') AS DOUBLE) FROM t", false],
    ["by a cast to texts", "SELECT CAST(json_extract(j, '$.a') AS TEXT[]) FROM t", false],
    [
      "by a cast of two",
      "SELECT TRY_CAST(coalesce(json_extract(j, '$.a'), json_extract(j, '$.b')) AS INTEGER) FROM t",
      false,
    ],
    ["by a cast in parentheses", "SELECT TRY_CAST((json_extract(j, '$.a')) AS INTEGER) FROM t", false],
    ["in a subquery", "SELECT TRY_CAST(v AS INTEGER) FROM (SELECT json_extract(j, '$.a') AS v FROM t) AS s", false],
    ["by the truth of a comparison", "SELECT 1 FROM t WHERE 5 < json_extract(j, '$.a') IS NULL", false],
    ["computed with", "SELECT json_type(json_extract(j, '$.a') || '') FROM t", false],
    ["as it is", "SELECT json_extract(j, '$.a') FROM t", false],
    [
      "within some calls",
      `SELECT ${"upper(".repeat(50)}json_type(json_extract(j, '$.a'))${")".repeat(50)} FROM t`,
      true,
    ],
    [
      "within more calls than are looked through",
      `SELECT ${"upper(".repeat(200)}json_type(json_extract(j, '$.a'))${")".repeat(200)} FROM t`,
      false,
    ],
  ])("%s", (_, sql, may) => {
    expect(extractsTexts(sql)).toBe(may);
  });
});

const ROWS = [
  `{"a": 1, "b": ["x", null]}`,
  `{"a": "é", "b": []}`,
  "[1, 2.5]",
  `"1"`,
  "1",
  "null",
  undefined,
  `{"b":{"a":true}}`,
];

let both: BothEngines;
beforeAll(async () => {
  const ground = playground();
  const paths = { "j.parquet": join(ground.root, "j.parquet"), "lists.parquet": join(ground.root, "l.parquet") };
  const values = ROWS.map((row, i) => `(${i}, ${row === undefined ? "NULL" : sqlText(row)}::json)`).join(", ");
  const made = `FROM (VALUES ${values}) t(i, j)`;
  await makeWith([
    `COPY (SELECT i, j ${made}) TO ${sqlText(paths["j.parquet"])} (FORMAT parquet)`,
    `COPY (SELECT [j] AS l ${made}) TO ${sqlText(paths["lists.parquet"])} (FORMAT parquet)`,
  ]);
  both = await openBoth(
    Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, readFileSync(path)])),
    "parquet",
  );
  ground.remove();
}, 60_000);
afterAll(() => both.close());

const ask = (engine: "native" | "wasm", sql: string) =>
  outcomeOf(both[engine], sql.includes("lists") ? "lists.parquet" : "j.parquet", { sql });

describe("a column of JSON", () => {
  it.each([
    `SELECT i, json_type(j), json_extract_string(j, '$."a"'), json_extract(j, '$[0]')::varchar FROM "j.parquet" ORDER BY i`,
    `SELECT CAST(j AS TEXT) AS v, count(*) FROM "j.parquet" GROUP BY 1 ORDER BY 1`,
    `SELECT i FROM "j.parquet" WHERE json_extract_string(j, '$."b"[0]') = 'x' OR j IS NULL ORDER BY i`,
    `SELECT CAST(translate(json_extract_string(j, '$[0]'), '._', '??') AS INTEGER) AS v FROM "j.parquet" WHERE i = 2`,
    `SELECT i FROM "j.parquet" WHERE CAST(j AS TEXT) LIKE '%"a"%' ORDER BY i`,
  ])("%s", async (sql) => {
    const answer = await ask("wasm", sql);
    expect(answer).toEqual(await ask("native", sql));
    expect(answer).toHaveProperty("rows");
  });

  it.each([
    `SELECT CAST(j AS INTEGER) FROM "j.parquet" WHERE i = 4`,
    `SELECT TRY_CAST(j AS DOUBLE) FROM "j.parquet"`,
    // Native DuckDB finds 1 in "1", and an engine that takes it for a text finds none.
    `SELECT TRY_CAST(json_extract(CAST(j AS TEXT), '$') AS INTEGER) FROM "j.parquet" WHERE i = 3`,
    `SELECT len(l) FROM "lists.parquet"`,
  ])("is left to the sidecar: %s", async (sql) => {
    expect(await ask("wasm", sql)).toMatchObject({ reason: "NEEDS_SIDECAR" });
    expect(await ask("native", sql)).toHaveProperty("rows");
  });
});
