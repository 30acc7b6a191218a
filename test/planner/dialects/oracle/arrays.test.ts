/** Arrays on Oracle, as documents of JSON, by the manual; what it cannot say is refused. */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "integer",
  s: "text",
  b: "boolean",
  x: "numeric(10,2)",
  d: "date32",
  tags: "text[]",
  n: "integer[]",
  grid: "integer[][]",
});

const CHECKED_COLUMN =
  /CASE JSON_VALUE\((\w+), '\$\.type\(\)' ERROR ON ERROR\) WHEN 'array' THEN JSON_SERIALIZE\(\1 RETURNING CLOB ERROR ON ERROR\) ELSE TO_CLOB\(TO_CHAR\(TO_NUMBER\(JSON_VALUE\(\1, '\$\.type\(\)'\)\)\)\) END/g;
const OF_OTHERS = "CASE k WHEN 'null' THEN NULL ELSE";
const TEXT_ELEMENT = `COALESCE(CASE k WHEN 'string' THEN v END, ${OF_OTHERS} TO_CHAR(TO_NUMBER('!' || k)) END)`;
const NUMBER_ELEMENT = `COALESCE(CASE WHEN k = 'number' AND v = TRUNC(v) THEN v END, ${OF_OTHERS} TO_NUMBER('!' || k) END)`;
const COLUMNS = "n FOR ORDINALITY, k VARCHAR2(20) PATH '$.type()', v";

/** The statement with short names for the forms that all of them have. */
function said(sql: string): string {
  return planned(sql, manifest, { source: "oracle" })
    .sql.replaceAll(/"(\w+)"/g, "$1")
    .replaceAll("t t", "t")
    .replaceAll(/\bt\./g, "")
    .replaceAll(CHECKED_COLUMN, "DOCUMENT($1)")
    .replaceAll(TEXT_ELEMENT, "TEXT()")
    .replaceAll(NUMBER_ELEMENT, "NUMBER()")
    .replaceAll(`, '$[*]' COLUMNS (${COLUMNS} VARCHAR2(4000) PATH '$'))`, ")")
    .replaceAll(`, '$[*]' COLUMNS (${COLUMNS} NUMBER PATH '$'))`, ")")
    .replaceAll(" ERROR ON ERROR", "")
    .replaceAll(" RETURNING CLOB", "");
}

const rows = (column: string, element = "TEXT()"): string =>
  `(SELECT ${element} AS v, n AS n FROM JSON_TABLE(DOCUMENT(${column})) _json) _elements`;

describe("documents that are made", () => {
  test.each([
    ["ARRAY[1, NULL]", "JSON_ARRAY(1, NULL NULL ON NULL)"],
    ["ARRAY[]::int[]", "TO_CLOB('[]')"],
    ["ARRAY[s, 'a']", "JSON_ARRAY(s, 'a' NULL ON NULL)"],
    ["ARRAY[d]", "JSON_ARRAY(to_char(trunc(d, 'DD'), 'YYYY-MM-DD') NULL ON NULL)"],
    ["ARRAY[x]", "JSON_ARRAY(to_char(x, 'FM99999999999999999999999999999999999990.00') FORMAT JSON NULL ON NULL)"],
    ["ARRAY[b]", "JSON_ARRAY(CASE b WHEN 1 THEN 'true' WHEN 0 THEN 'false' END FORMAT JSON NULL ON NULL)"],
    ["array_agg(s ORDER BY id DESC)", "CASE WHEN count(s) > 0 THEN JSON_ARRAYAGG(s ORDER BY id DESC NULLS LAST) END"],
    [
      "array_agg(s) FILTER (WHERE id > 1)",
      "CASE WHEN count(CASE WHEN id > 1 THEN s END) > 0 THEN JSON_ARRAYAGG(CASE WHEN id > 1 THEN s END) END",
    ],
    ["string_to_array(s, ',')", `TO_CLOB(NULLIF(REPLACE(JSON_ARRAY(s RETURNING VARCHAR2(4000)), ',', '","'), '[]'))`],
    [
      "string_to_array(trim(s), ';')",
      `CASE WHEN s IS NOT NULL THEN TO_CLOB(REPLACE(JSON_ARRAY(TRIM(s) RETURNING VARCHAR2(4000)), ';', '","')) END`,
    ],
    [
      "n || 3",
      "REPLACE(REPLACE(REPLACE(coalesce(DOCUMENT(n), TO_CLOB('[]')) || CHR(1) || JSON_ARRAY(3 NULL ON NULL), '[]' || CHR(1)), CHR(1) || '[]'), ']' || CHR(1) || '[', ',')",
    ],
    [
      "array_remove(n, 1)",
      `CASE WHEN n IS NOT NULL THEN coalesce((SELECT JSON_ARRAYAGG(_elements.v ORDER BY _elements.n NULL ON NULL) AS x FROM ${rows("n", "NUMBER()")} WHERE CASE WHEN _elements.v = 1 THEN CAST(0 AS NUMBER(1)) ELSE CAST(1 AS NUMBER(1)) END = 1), TO_CLOB('[]')) END`,
    ],
  ])("%s", (value, text) => expect(said(`SELECT ${value} AS a FROM t`)).toBe(`SELECT ${text} AS a FROM t`));

  test("different values are the first of their rows", () => {
    expect(said("SELECT array_agg(DISTINCT id) AS a FROM t")).toBe(
      "SELECT CASE WHEN count(CASE WHEN _p1.r = 1 THEN _p1.id END) > 0 THEN JSON_ARRAYAGG(CASE WHEN _p1.r = 1 THEN _p1.id END ORDER BY _p1.id ASC) END AS a FROM (SELECT _v1.id, row_number() OVER (PARTITION BY _v1.id ORDER BY _v1.id) AS r FROM (SELECT id FROM t) _v1) _p1",
    );
  });
});

describe("documents of columns beside others are CLOBs, too", () => {
  test.each([
    ["coalesce(tags, ARRAY['a'])", "coalesce(DOCUMENT(tags), JSON_ARRAY('a' NULL ON NULL))"],
    ["CASE WHEN id = 1 THEN tags ELSE '{}' END", "CASE WHEN id = 1 THEN DOCUMENT(tags) ELSE TO_CLOB('[]') END"],
    ["tags", "tags"],
  ])("%s", (value, text) => expect(said(`SELECT ${value} AS a FROM t`)).toBe(`SELECT ${text} AS a FROM t`));
});

describe("elements", () => {
  test.each([
    [
      "SELECT u.x FROM t, unnest(tags) AS u(x)",
      "SELECT u.x FROM t CROSS APPLY (SELECT TEXT() AS x FROM JSON_TABLE(DOCUMENT(tags)) _json) u",
    ],
    [
      "SELECT u.x, u.i FROM t LEFT JOIN LATERAL unnest(n) WITH ORDINALITY AS u(x, i) ON TRUE",
      "SELECT u.x, u.i FROM t OUTER APPLY (SELECT NUMBER() AS x, n AS i FROM JSON_TABLE(DOCUMENT(n)) _json) u",
    ],
    [
      "SELECT u FROM t, unnest(coalesce(tags, ARRAY['a'])) AS u",
      "SELECT u.u FROM t CROSS APPLY (SELECT TEXT() AS u FROM JSON_TABLE(coalesce(DOCUMENT(tags), JSON_ARRAY('a' NULL ON NULL))) _json) u",
    ],
    [
      "SELECT cardinality(tags) AS a FROM t",
      "SELECT JSON_VALUE(DOCUMENT(tags), '$.size()' RETURNING NUMBER) AS a FROM t",
    ],
    [
      "SELECT count(*) AS a FROM t GROUP BY cardinality(tags)",
      "SELECT count(*) AS a FROM t GROUP BY JSON_VALUE(DOCUMENT(tags), '$.size()' RETURNING NUMBER)",
    ],
    ["SELECT array_length(array_agg(s), 1) AS a FROM t", "SELECT nullif(count(s), 0) AS a FROM t"],
    [
      "SELECT n[2] AS a FROM t",
      `SELECT (SELECT _elements.v AS x FROM ${rows("n", "NUMBER()")} WHERE _elements.n = 2) AS a FROM t`,
    ],
    [
      "SELECT (array_agg(s ORDER BY id))[1] AS a FROM t",
      "SELECT JSON_VALUE(CASE WHEN count(s) > 0 THEN JSON_ARRAYAGG(s ORDER BY id) END, '$[0]' RETURNING VARCHAR2(4000) NULL ON EMPTY) AS a FROM t",
    ],
    [
      "SELECT array_to_string(tags, ', ', '?') AS a FROM t",
      `SELECT CASE WHEN tags IS NOT NULL THEN ((SELECT LISTAGG(coalesce(_elements.v, '?'), ', ') WITHIN GROUP (ORDER BY _elements.n) AS x FROM ${rows("tags")})) END AS a FROM t`,
    ],
    [
      "SELECT array_to_string(array_agg(id ORDER BY s), '+') AS a FROM t",
      "SELECT LISTAGG(to_char(id), '+') WITHIN GROUP (ORDER BY s) AS a FROM t",
    ],
    [
      "SELECT id FROM t WHERE 'a' = ANY (tags)",
      `SELECT id FROM t WHERE CASE WHEN tags IS NOT NULL THEN CAST(CASE WHEN 'a' = ANY (SELECT _elements.v AS x FROM ${rows("tags")}) THEN 1 WHEN NOT ('a' = ANY (SELECT _elements.v AS x FROM ${rows("tags")})) THEN 0 END AS NUMBER(1)) END = 1`,
    ],
    [
      "SELECT id FROM t WHERE tags @> ARRAY['a']",
      `SELECT id FROM t WHERE CASE WHEN tags IS NOT NULL THEN CAST(CASE WHEN EXISTS (SELECT 1 AS x FROM ${rows("tags")} WHERE _elements.v = 'a') THEN 1 ELSE 0 END AS NUMBER(1)) END = 1`,
    ],
    [
      "SELECT array_position(ARRAY['a', 'b'], s) AS a FROM t",
      "SELECT CASE WHEN s = 'a' THEN 1 WHEN s = 'b' THEN 2 END AS a FROM t",
    ],
    [
      "SELECT id FROM t WHERE tags = '{}'",
      "SELECT id FROM t WHERE JSON_VALUE(DOCUMENT(tags), '$.size()' RETURNING NUMBER) = 0",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("refused", () => {
  test.each([
    "SELECT tags = ARRAY['a'] FROM t",
    "SELECT tags IN (SELECT tags FROM t) FROM t",
    "SELECT DISTINCT tags FROM t",
    "SELECT count(DISTINCT tags) FROM t",
    "SELECT id FROM t GROUP BY id, tags",
    "SELECT id FROM t ORDER BY tags",
    "SELECT tags FROM t UNION SELECT tags FROM t",
    "SELECT max(tags) FROM t",
    "SELECT any_value(tags) FROM t",
    "SELECT nullif(tags, tags) FROM t",
    "SELECT greatest(tags, tags) FROM t",
    "SELECT tags::text FROM t",
    "SELECT grid[1] FROM t",
    "SELECT ARRAY[ARRAY[1]] FROM t",
    "SELECT ARRAY[''] FROM t",
    "SELECT array_agg(trim(s)) FROM t",
    "SELECT array_to_string(tags, ',') = '' FROM t",
    "SELECT array_agg(id) OVER () FROM t",
    "SELECT array_agg(DISTINCT id) FROM t GROUP BY ROLLUP (s)",
    "SELECT array_agg(DISTINCT b) FROM t",
    "SELECT (array_agg(DISTINCT b))[1] FROM t",
    "SELECT ARRAY[now()] FROM t",
    "SELECT ARRAY(SELECT id FROM t)",
    "SELECT tags[id] FROM t",
    "SELECT 1.5 = ANY (n) FROM t",
    "SELECT string_to_array(s, 'x') FROM t",
    "SELECT string_to_array(s, '[') FROM t",
    "SELECT string_to_array(trim((SELECT max(s) FROM t)), ',') FROM t",
    "SELECT u.x FROM t RIGHT JOIN LATERAL unnest(tags) AS u(x) ON TRUE",
    "WITH RECURSIVE c AS (SELECT id, ARRAY[id] AS p FROM t UNION ALL SELECT c.id, c.p || 1 FROM c) SELECT p FROM c",
  ])("%s", (sql) => expect(() => said(sql)).toThrow());
});
