/** Columns of JSON in Parquet: read as texts where that is the same, and left to native DuckDB where it may not be. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqlText } from "../../../src/connectors/duckdb/sql-text.ts";
import { readsJsonAsTexts } from "../../../src/connectors/duckdb-wasm/json-columns.ts";
import type { PlanColumn, SqlType } from "../../../src/planner/plan.ts";
import { makeWith, playground } from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, openBoth, outcomeOf } from "./both-engines.ts";

const JSON_TYPE: SqlType = { kind: "json" };
const TEXT: SqlType = { kind: "text" };

describe("a statement may have texts for JSON", () => {
  it.each([
    ["functions of JSON", "SELECT json_extract_string(t.j, '$.a') FROM t", true],
    ["its text", "SELECT CAST(t.j AS TEXT), t.j::varchar FROM t", true],
    [
      "casts of what is none",
      "SELECT CAST(translate(json_extract_string(t.j, '$.a'), '_', '?') AS INTEGER) FROM t",
      true,
    ],
    ["constants", "SELECT CAST('2024-01-01' AS DATE), CAST(1.5 AS DOUBLE) FROM t", true],
    ["words in constants", "SELECT 'CAST(j AS INTEGER)::int TRY(' FROM t", true],
    ["a cast", "SELECT CAST(t.j AS INTEGER) FROM t", false],
    ["a cast that may fail", "SELECT TRY_CAST(t.j AS DOUBLE) FROM t", false],
    ["a cast of what may be JSON", "SELECT CAST(coalesce(t.j, '1') AS BIGINT) FROM t", false],
    ["a cast inside of another", "SELECT CAST(CAST(t.j AS DATE) AS TEXT) FROM t", false],
    ["a cast behind quotes", `SELECT CAST("a ) AS TEXT (" AS DATE) FROM t`, false],
    ["a cast to a list", "SELECT t.j::varchar[] FROM t", false],
    ["a short cast", "SELECT t.j::int FROM t", false],
    ["an attempt", "SELECT TRY(json_type(t.j)) FROM t", false],
  ])("%s", (_, sql, may) => {
    expect(readsJsonAsTexts(sql, [])).toBe(may);
  });

  it("but not where it answers with it", () => {
    const column = (type: SqlType): PlanColumn => ({ name: "j", type, nullable: true });
    const sql = "SELECT t.j FROM t";
    expect(readsJsonAsTexts(sql, [column(TEXT)])).toBe(true);
    for (const type of [JSON_TYPE, { kind: "array", element: JSON_TYPE }, rowOf(JSON_TYPE)] satisfies SqlType[]) {
      expect(readsJsonAsTexts(sql, [column(type)])).toBe(false);
    }
  });
});

const rowOf = (type: SqlType): SqlType => ({ kind: "row", fields: [{ name: "a", type }] });

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
    `SELECT len(l) FROM "lists.parquet"`,
  ])("is left to the sidecar: %s", async (sql) => {
    expect(await ask("wasm", sql)).toMatchObject({ reason: "NEEDS_SIDECAR" });
    expect(await ask("native", sql)).toHaveProperty("rows");
  });
});
