/** Arrays on SQL Server, as documents of JSON, by the manual; what it cannot say is refused. */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "integer",
  s: "text",
  b: "boolean",
  x: "numeric(10,2)",
  d: "date",
  tags: "text[]",
  n: "integer[]",
  big: "bigint[]",
  grid: "integer[][]",
});

const CHECKED_COLUMN =
  /CASE WHEN CAST\((\w+) AS NVARCHAR\(MAX\)\) LIKE '\[\[\]%\]' THEN CAST\(\1 AS NVARCHAR\(MAX\)\) ELSE CAST\(CAST\(LEFT\('no array' \+ CAST\(\1 AS NVARCHAR\(MAX\)\), 8\) AS INT\) AS NVARCHAR\(MAX\)\) END/g;
const TEXT_ELEMENT =
  "(CASE WHEN type IN (0, 1) THEN value ELSE CAST(CAST(LEFT('no text' + value, 7) AS INT) AS NVARCHAR(MAX)) END) COLLATE DATABASE_DEFAULT";
const numberElement = (type: string): string =>
  `CASE WHEN type IN (0, 2) THEN CAST(value AS ${type}) ELSE CAST(LEFT('no number' + value, 9) AS ${type}) END`;

/** The statement with short names for the forms that all of them have. */
function said(sql: string): string {
  return planned(sql, manifest, { source: "mssql" })
    .sql.replaceAll("Latin1_General_100_BIN2_UTF8", "EXACT")
    .replaceAll("[t] AS [t]", "t")
    .replaceAll("[t].", "")
    .replaceAll(/\[(\w+)\]/g, "$1")
    .replaceAll(CHECKED_COLUMN, "DOCUMENT($1)")
    .replaceAll(TEXT_ELEMENT, "TEXT()")
    .replaceAll(numberElement("INT"), "INT()")
    .replaceAll(numberElement("BIGINT"), "BIGINT()")
    .replaceAll("CAST(key AS BIGINT) + 1", "PLACE()");
}

const rows = (column: string, element = "TEXT()"): string =>
  `(SELECT ${element} AS v, PLACE() AS n FROM openjson(DOCUMENT(${column})) AS _json) AS _elements`;

describe("documents that are made", () => {
  test.each([
    ["ARRAY[1, 2]", "('[' + (CAST(1 AS NVARCHAR(MAX)) + ',' + CAST(2 AS NVARCHAR(MAX))) + ']')"],
    ["ARRAY[]::int[]", "('[' + CAST('' AS NVARCHAR(MAX)) + ']')"],
    [
      "ARRAY[s, NULL]",
      `('[' + (coalesce(('"' + STRING_ESCAPE(CAST(s AS NVARCHAR(MAX)), 'json') + '"'), CAST('null' AS NVARCHAR(MAX))) + ',' + CAST('null' AS NVARCHAR(MAX))) + ']')`,
    ],
    [
      "array_agg(d ORDER BY s)",
      `('[' + string_agg(('"' + CAST(CONVERT(NVARCHAR(10), d, 23) AS NVARCHAR(MAX)) + '"'), ',') WITHIN GROUP (ORDER BY CAST(CASE WHEN (s) COLLATE EXACT IS NULL THEN 1 ELSE 0 END AS BIT), (s) COLLATE EXACT) + ']')`,
    ],
    [
      "string_to_array(s, ',')",
      `(REPLACE('["' + REPLACE((STRING_ESCAPE(CAST(s AS NVARCHAR(MAX)), 'json')) COLLATE EXACT, ',', '","') + '"]', '[""]', '[]')) COLLATE DATABASE_DEFAULT`,
    ],
    [
      "n || 3",
      "(REPLACE(REPLACE(REPLACE((coalesce(DOCUMENT(n), '[]') + CHAR(1) + ('[' + CAST(3 AS NVARCHAR(MAX)) + ']')) COLLATE EXACT, '[]' + CHAR(1), ''), CHAR(1) + '[]', ''), ']' + CHAR(1) + '[', ',')) COLLATE DATABASE_DEFAULT",
    ],
  ])("%s", (value, text) => expect(said(`SELECT ${value} AS a FROM t`)).toBe(`SELECT ${text} AS a FROM t`));

  test("different values are the first of their rows", () => {
    expect(said("SELECT array_agg(DISTINCT id) AS a FROM t")).toBe(
      "SELECT ('[' + string_agg(CAST(CASE WHEN _p1.r = 1 THEN _p1.id END AS NVARCHAR(MAX)), ',') WITHIN GROUP (ORDER BY CAST(CASE WHEN _p1.id IS NULL THEN 1 ELSE 0 END AS BIT), _p1.id ASC) + ']') AS a FROM (SELECT _v1.id, row_number() OVER (PARTITION BY _v1.id ORDER BY CAST(CASE WHEN _v1.id IS NULL THEN 1 ELSE 0 END AS BIT), _v1.id) AS r FROM (SELECT id FROM t) AS _v1) AS _p1",
    );
  });
});

describe("elements of a column", () => {
  test.each([
    [
      "SELECT u.x FROM t, unnest(tags) AS u(x)",
      "SELECT u.x FROM t CROSS APPLY (SELECT TEXT() AS x FROM openjson(DOCUMENT(tags)) AS _json) AS u",
    ],
    [
      "SELECT u.x, u.i FROM t LEFT JOIN LATERAL unnest(big) WITH ORDINALITY AS u(x, i) ON TRUE",
      "SELECT u.x, u.i FROM t OUTER APPLY (SELECT BIGINT() AS x, PLACE() AS i FROM openjson(DOCUMENT(big)) AS _json) AS u",
    ],
    [
      "SELECT cardinality(tags) AS a FROM t",
      `SELECT CASE WHEN tags IS NOT NULL THEN (SELECT count_big(*) AS x FROM ${rows("tags")}) END AS a FROM t`,
    ],
    [
      "SELECT n[2] AS a FROM t",
      `SELECT (SELECT _elements.v AS x FROM ${rows("n", "INT()")} WHERE _elements.n = 2) AS a FROM t`,
    ],
    [
      "SELECT array_to_string(tags, ', ', '?') AS a FROM t",
      `SELECT CASE WHEN tags IS NOT NULL THEN coalesce((SELECT string_agg(CAST(coalesce(_elements.v, '?') AS NVARCHAR(MAX)), ', ') WITHIN GROUP (ORDER BY _elements.n) AS x FROM ${rows("tags")}), '') END AS a FROM t`,
    ],
    [
      "SELECT id FROM t WHERE 3 > ALL (n)",
      `SELECT id FROM t WHERE CASE WHEN n IS NOT NULL THEN CAST(CASE WHEN 3 > ALL (SELECT _elements.v AS x FROM ${rows("n", "INT()")}) THEN 1 WHEN NOT (3 > ALL (SELECT _elements.v AS x FROM ${rows("n", "INT()")})) THEN 0 END AS BIT) END = 1`,
    ],
    [
      "SELECT id FROM t WHERE tags @> ARRAY['a']",
      `SELECT id FROM t WHERE CASE WHEN tags IS NOT NULL THEN CAST(CASE WHEN EXISTS (SELECT 1 AS x FROM ${rows("tags")} WHERE (_elements.v + '.') COLLATE EXACT = 'a.') THEN 1 ELSE 0 END AS BIT) END = 1`,
    ],
    [
      "SELECT array_position(ARRAY['a', 'b'], s) AS a FROM t",
      "SELECT CASE WHEN s = 'a' AND (s + '.') COLLATE EXACT = 'a.' THEN 1 WHEN s = 'b' AND (s + '.') COLLATE EXACT = 'b.' THEN 2 END AS a FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("refused", () => {
  test.each([
    "SELECT tags = ARRAY['a'] FROM t",
    "SELECT DISTINCT tags FROM t",
    "SELECT id FROM t GROUP BY id, tags",
    "SELECT max(tags) FROM t",
    "SELECT nullif(tags, n::text[]) FROM t",
    "SELECT greatest(tags, tags) FROM t",
    "SELECT tags::text FROM t",
    "SELECT grid[1] FROM t",
    "SELECT ARRAY[ARRAY[1]] FROM t",
    "SELECT array_agg(b) FROM t",
    "SELECT array_agg(id) OVER () FROM t",
    "SELECT ARRAY[now()] FROM t",
    "SELECT ARRAY(SELECT id FROM t)",
    "SELECT tags[id] FROM t",
    "SELECT 1.5 = ANY (n) FROM t",
    "SELECT string_to_array(s, 'x') FROM t",
    "SELECT array_replace(tags, s, 'x') FROM t",
    "SELECT sum(cardinality(tags)) FROM t",
    "SELECT count(*) FROM t GROUP BY cardinality(tags)",
    "SELECT u.x FROM t RIGHT JOIN LATERAL unnest(tags) AS u(x) ON TRUE",
  ])("%s", (sql) => expect(() => said(sql)).toThrow());

  test("several orders in one group, which are error 8711", () => {
    expect(() => said("SELECT array_agg(id ORDER BY s), string_agg(s, ',' ORDER BY id) FROM t")).toThrow(
      "several orders",
    );
    expect(() => said("SELECT array_agg(id ORDER BY s), string_agg(s, ',' ORDER BY s) FROM t")).not.toThrow();
    expect(() => said("SELECT array_agg(id ORDER BY s), string_agg(s, ',') FROM t")).not.toThrow();
  });
});
