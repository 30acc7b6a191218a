/** Members of JSON on the targets that read a document by one whole path. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INTEGER", doc: "JSON", jsonb: "JSONB", s: "VARCHAR" });

function sent(sql: string, source: DataSource): string {
  return planned(sql, manifest, { source })
    .sql.replaceAll(/[`"](t|doc|id|x)[`"]/g, "$1")
    .replaceAll("t.doc", "doc");
}

function refusal(sql: string, source: DataSource): string {
  try {
    return sent(sql, source);
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace(/^not supported on [^:]+: /, "");
    throw error;
  }
}

const SOURCES = ["oracle", "redshift", "doris"] as const;

describe.each(SOURCES)("%s", (source) => {
  test.each([
    ["doc -> 'a' ->> 'b'", { oracle: '$."a"."b"', redshift: 'doc."a"."b"', doris: '$."a"."b"' }],
    ["doc -> 'A b' -> 2 ->> '0'", { oracle: '"A b"[2]."0"', redshift: '"A b"[2]."0"', doris: '"A b"[2]."0"' }],
    ["doc #>> '{a,b}'", { oracle: '$."a"."b"', redshift: 'doc."a"."b"', doris: '$."a"."b"' }],
    ["json_extract_path_text(doc, 'a', 'b')", { oracle: '$."a"."b"', redshift: 'doc."a"."b"', doris: '$."a"."b"' }],
    [
      "json_array_length(doc -> 'a.b')",
      { oracle: '$."a.b".size()', redshift: 'GET_ARRAY_LENGTH(doc."a.b")', doris: "JSON_LENGTH" },
    ],
  ] as const)("%s", (expression, path) => {
    expect(sent(`SELECT ${expression} AS x FROM t`, source)).toContain(path[source]);
  });

  test.each([
    ["doc -> 'a'", "a member of json as json"],
    ["doc ->> s", "a computed step into json, or one from the end"],
    ["doc ->> -1", "a computed step into json, or one from the end"],
    ["doc #>> '{a,0}'", "a path into json of computed steps, or of positions"],
    ["doc ->> 'a\"b'", "the name of this member of json"],
    ["doc ->> ''", "the name of this member of json"],
    ["doc ->> '$a'", "the name of this member of json"],
    ["coalesce(doc, doc) ->> 'a'", "a member of json that is computed"],
    ["jsonb ? s", "a key or containment operator of json"],
    ["doc -> 'a' = doc -> 'b'", "a comparison of json"],
  ])("%s is refused", (expression, what) => {
    expect(refusal(`SELECT ${expression} AS x FROM t`, source)).toContain(what);
  });
});

test.each(["oracle", "redshift"] as const)("a scalar of jsonb would be its own first element on %s", (source) => {
  const sql = "SELECT jsonb -> 0 ->> 'a' AS x FROM t";
  expect(refusal(sql, source)).toBe("the first element of what may be a plain value");
});

test("objects, arrays and numbers with another text raise on Redshift", () => {
  expect(sent("SELECT doc ->> 'a' AS x FROM t", "redshift")).toBe(
    `SELECT CASE WHEN JSON_TYPEOF(doc."a") = 'string' THEN CAST(doc."a" AS VARCHAR(65535)) WHEN JSON_TYPEOF(doc."a") = 'boolean' OR JSON_TYPEOF(doc."a") = 'number' AND JSON_SERIALIZE(doc."a") ~ '^-?[0-9]+([.][0-9]*[1-9])?$' THEN JSON_SERIALIZE(doc."a") WHEN JSON_TYPEOF(doc."a") <> 'null' THEN CAST(CAST(JSON_TYPEOF(doc."a") AS INTEGER) AS VARCHAR(65535)) END AS x FROM t AS t`,
  );
});

describe("Oracle, where an empty text is NULL,", () => {
  const EMPTY = "COALESCE(JSON_VALUE(";

  test.each([
    ["SELECT doc ->> 'a' AS x FROM t"],
    ["SELECT id FROM t WHERE doc ->> 'a' = 'b'"],
    ["SELECT id FROM t WHERE doc ->> 'a' IS NULL"],
    ["SELECT upper(doc ->> 'a') AS x FROM t"],
    ["SELECT (doc ->> 'a')::int AS x FROM t"],
    ["SELECT (doc ->> 'a') || 'b' AS x FROM t"],
    ["SELECT doc ->> 'a' AS x FROM t UNION ALL SELECT s FROM t"],
  ])("%s says so for itself", (sql) => expect(sent(sql, "oracle")).not.toContain(EMPTY));

  test.each([
    ["SELECT DISTINCT doc ->> 'a' AS x FROM t", 1],
    ["SELECT doc ->> 'a' AS x, count(*) AS n FROM t GROUP BY 1", 2],
    ["SELECT doc ->> 'a' AS x FROM t ORDER BY 1", 2],
    ["SELECT doc ->> 'a' AS x FROM t UNION ALL SELECT s FROM t ORDER BY 1", 1],
    ["SELECT coalesce(doc ->> 'a', 'b') AS x FROM t", 1],
    ["SELECT d.x FROM (SELECT doc ->> 'a' AS x FROM t) AS d WHERE d.x IS NULL", 1],
    ["SELECT count(doc ->> 'a') AS x FROM t", 1],
  ])("%s raises for an empty text", (sql, times) => {
    expect(sent(sql, "oracle").split(EMPTY).length - 1).toBe(times);
  });

  test("a missing member is no empty text", () => {
    expect(sent("SELECT id FROM t WHERE doc ->> 'a' IS NULL", "oracle")).toBe(
      `SELECT t.id FROM t t WHERE NULLIF(CASE WHEN JSON_VALUE(doc, '$.type()') = 'object' THEN JSON_VALUE(doc, '$."a".type()') END, 'null') IS NULL`,
    );
  });

  test("a JSON null is no missing member", () => {
    expect(sent("SELECT id FROM t WHERE doc -> 'a' IS NULL", "oracle")).toBe(
      `SELECT t.id FROM t t WHERE CASE WHEN JSON_VALUE(doc, '$.type()') = 'object' THEN JSON_VALUE(doc, '$."a".type()') END IS NULL`,
    );
  });
});
