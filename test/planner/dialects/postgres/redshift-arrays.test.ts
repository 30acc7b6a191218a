/** Arrays as Redshift says them, by its manual; `test/engines/redshift/arrays.test.ts` runs a part of them. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "INT",
  s: "VARCHAR",
  a: "ARRAY(VARCHAR)",
  b: "ARRAY(VARCHAR)",
  k: "ARRAY(INTEGER)",
});

function sent(sql: string): string {
  try {
    return planned(sql, manifest, { source: "redshift" }).sql.replaceAll(/[`"]|\bt[`"]?\./g, "");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Redshift: ", "");
    throw error;
  }
}

const value = (expression: string): string =>
  sent(`SELECT ${expression} AS x FROM t`).replace(/^SELECT (.*) AS x FROM t AS t$/s, "$1");

const rows = (from: string): string => sent(`SELECT 1 AS one FROM ${from}`).replace("SELECT 1 AS one FROM ", "");

type Pair = readonly [written: string, said: string];

describe("values", () => {
  test.each<Pair>([
    [
      "'x' = ANY (a)",
      "CASE WHEN STRPOS(COLLATE(',' || SUBSTRING(JSON_SERIALIZE(a), 2, LEN(JSON_SERIALIZE(a)) - 2) || ',', 'case_sensitive'), ',x,') > 0 THEN TRUE WHEN IS_ARRAY(a) AND NOT ARRAY_CONTAINS(a, NULL, TRUE) THEN FALSE END",
    ],
    [
      "id = ANY (k)",
      "CASE WHEN GET_ARRAY_LENGTH(k) = 0 THEN FALSE WHEN IS_ARRAY(k) THEN ARRAY_CONTAINS(k, id, FALSE) END",
    ],
    ["cardinality(a)", "CASE WHEN IS_ARRAY(a) THEN GET_ARRAY_LENGTH(a) END"],
    ["array_length(k, 1)", "nullif(CASE WHEN IS_ARRAY(k) THEN GET_ARRAY_LENGTH(k) END, 0)"],
    ["array_upper(k, 1)", "nullif(CASE WHEN IS_ARRAY(k) THEN GET_ARRAY_LENGTH(k) END, 0)"],
    [
      "a[1]",
      "CASE WHEN JSON_TYPEOF(a[0]) = 'string' THEN CAST(a[0] AS VARCHAR(65535)) WHEN JSON_TYPEOF(a[0]) <> 'null' THEN CAST(CAST(JSON_TYPEOF(a[0]) AS INTEGER) AS VARCHAR(65535)) END",
    ],
    [
      "k[3]",
      "CASE WHEN JSON_TYPEOF(k[2]) = 'number' THEN CAST(k[2] AS BIGINT) WHEN JSON_TYPEOF(k[2]) <> 'null' THEN CAST(JSON_TYPEOF(k[2]) AS BIGINT) END",
    ],
    [
      "a[2:3]",
      "CASE WHEN GET_ARRAY_LENGTH(a) > 1 THEN SUBARRAY(a, 1, LEAST(2, GET_ARRAY_LENGTH(a) - 1)) WHEN IS_ARRAY(a) THEN JSON_PARSE('[]') END",
    ],
    [
      "a[:2]",
      "CASE WHEN GET_ARRAY_LENGTH(a) > 0 THEN SUBARRAY(a, 0, LEAST(2, GET_ARRAY_LENGTH(a) - 0)) WHEN IS_ARRAY(a) THEN JSON_PARSE('[]') END",
    ],
    [
      "a[2:]",
      "CASE WHEN GET_ARRAY_LENGTH(a) > 1 THEN SUBARRAY(a, 1, GET_ARRAY_LENGTH(a) - 1) WHEN IS_ARRAY(a) THEN JSON_PARSE('[]') END",
    ],
    ["a[3:1]", "CASE WHEN IS_ARRAY(a) THEN JSON_PARSE('[]') END"],
    [
      "a @> ARRAY['x']",
      "CASE WHEN IS_ARRAY(a) THEN STRPOS(COLLATE(',' || SUBSTRING(JSON_SERIALIZE(a), 2, LEN(JSON_SERIALIZE(a)) - 2) || ',', 'case_sensitive'), ',x,') > 0 END",
    ],
    [
      "ARRAY[1, 2] <@ k",
      "CASE WHEN IS_ARRAY(k) THEN ARRAY_CONTAINS(k, 1, TRUE) END AND CASE WHEN IS_ARRAY(k) THEN ARRAY_CONTAINS(k, 2, TRUE) END",
    ],
    [
      "a && ARRAY['x', 'y']",
      "CASE WHEN IS_ARRAY(a) THEN STRPOS(COLLATE(',' || SUBSTRING(JSON_SERIALIZE(a), 2, LEN(JSON_SERIALIZE(a)) - 2) || ',', 'case_sensitive'), ',x,') > 0 END OR CASE WHEN IS_ARRAY(a) THEN STRPOS(COLLATE(',' || SUBSTRING(JSON_SERIALIZE(a), 2, LEN(JSON_SERIALIZE(a)) - 2) || ',', 'case_sensitive'), ',y,') > 0 END",
    ],
    ["a = '{}'", "CASE WHEN IS_ARRAY(a) THEN GET_ARRAY_LENGTH(a) END = 0"],
    ["a <> ARRAY[]::text[]", "CASE WHEN IS_ARRAY(a) THEN GET_ARRAY_LENGTH(a) END <> 0"],
    ["a || 'x'::text", "ARRAY_CONCAT(coalesce(a, JSON_PARSE('[]')), ARRAY('x'))"],
    ["array_append(k, id)", "ARRAY_CONCAT(coalesce(k, JSON_PARSE('[]')), ARRAY(id))"],
    ["array_prepend(0, k)", "ARRAY_CONCAT(ARRAY(0), coalesce(k, JSON_PARSE('[]')))"],
    [
      "array_cat(a, b)",
      "CASE WHEN a IS NOT NULL OR b IS NOT NULL THEN ARRAY_CONCAT(coalesce(a, JSON_PARSE('[]')), coalesce(b, JSON_PARSE('[]'))) END",
    ],
    ["ARRAY['x', s, NULL]", "ARRAY('x', s, NULL)"],
    ["ARRAY[1, id]", "ARRAY(1, id)"],
    ["ARRAY[]::text[]", "JSON_PARSE('[]')"],
    ["cardinality(ARRAY[1, 2])", "GET_ARRAY_LENGTH(ARRAY(1, 2))"],
    [
      "array_position(ARRAY['a', 'b'], s)",
      "CASE WHEN s = 'a' AND COLLATE(s || '.', 'case_sensitive') = 'a.' THEN 1 WHEN s = 'b' AND COLLATE(s || '.', 'case_sensitive') = 'b.' THEN 2 END",
    ],
    [
      "string_to_array(s, ',')",
      "JSON_PARSE(REPLACE(REPLACE(NULLIF(JSON_SERIALIZE(ARRAY(s)), '[null]'), '[]', '[]'), ',', ','))",
    ],
    ["coalesce(a, ARRAY['none'])", "coalesce(a, ARRAY('none'))"],
    [
      "array_agg(s)",
      "ARRAY_FLATTEN(JSON_PARSE('[' || listagg(NULLIF(JSON_SERIALIZE(ARRAY(s)), '[null]'), ',') || ']'))",
    ],
    [
      "array_agg(s ORDER BY s DESC)",
      "ARRAY_FLATTEN(JSON_PARSE('[' || listagg(NULLIF(JSON_SERIALIZE(ARRAY(s)), '[null]'), ',') WITHIN GROUP (ORDER BY COLLATE(s, 'case_sensitive') DESC NULLS LAST) || ']'))",
    ],
    [
      "array_agg(s ORDER BY id DESC)",
      "ARRAY_FLATTEN(JSON_PARSE('[' || listagg(NULLIF(JSON_SERIALIZE(ARRAY(s)), '[null]'), ',') WITHIN GROUP (ORDER BY id DESC NULLS LAST) || ']'))",
    ],
    [
      "array_agg(id ORDER BY s, id)",
      "JSON_PARSE('[' || listagg(CAST(id AS VARCHAR(65535)), ',') WITHIN GROUP (ORDER BY COLLATE(s, 'case_sensitive'), id) || ']')",
    ],
  ])("%s", (expression, said) => expect(value(expression)).toBe(said));

  test.each<Pair>([
    ["s <> ALL (a)", "ANY or ALL of an array"],
    ["array_contains(a, s)", "ANY or ALL of an array"],
    ["array_to_string(a, '; ')", "arrays"],
    ["array_to_string(k, ',', '?')", "arrays"],
    ["array_position(a, 'x')", "arrays"],
    ["array_remove(a, 'x')", "an array that is changed"],
    ["a && b", "arrays that are compared with &&"],
    ["'x' < ANY (a)", "ANY or ALL of an array"],
    ["upper(s) = ANY (a)", "ANY or ALL of an array"],
    ["upper('x') = ANY (a)", "ANY or ALL of an array"],
    ["a[id]", "an element of this"],
    ["a[0]", "an element of this"],
    ["a[id:2]", "a slice with computed bounds"],
    ["array_length(a, 2)", "arrays"],
    ["array_position(a, s)", "the position of a value that may be NULL"],
    ["array_remove(a, s)", "an array that is changed"],
    ["array_replace(a, 'x', 'y')", "an array that is changed"],
    ["a @> b", "an array in another"],
    ["a @> ARRAY[s]", "an array in another"],
    ["ARRAY['x'] @> a", "an array in another"],
    ["a && k", "arrays that are compared with &&"],
    ["a = b", "a comparison of arrays"],
    ["a = ARRAY['x']", "a comparison of arrays"],
    ["a < '{}'", "a comparison of arrays"],
    ["max(a)", "the least or greatest array"],
    ["min(a) OVER (PARTITION BY s)", "the least or greatest array"],
    ["greatest(a, b)", "the least or greatest array"],
    ["row_number() OVER (ORDER BY a)", "a comparison of arrays"],
    ["array_agg(s ORDER BY a)", "a comparison of arrays"],
    ["ARRAY[true, id > 1]", "arrays"],
    ["array_to_string(ARRAY['a', s], '-')", "arrays"],
    ["array_agg(DISTINCT id ORDER BY id) FILTER (WHERE id > 1)", "array_agg of different values"],
    ["(array_agg(s ORDER BY id))[1]", "an element of this"],
    ["array_to_string(array_agg(DISTINCT s ORDER BY s), ', ')", "array_agg of different values"],
    ["ARRAY[1.5]", "arrays"],
    ["ARRAY[NULL]", "arrays"],
    ["ARRAY[DATE '2024-01-01']", "arrays"],
    ["ARRAY['abc']::varchar(2)[]", "a cast from array to array"],
    ["ARRAY[1, 2]::smallint[]", "a cast from array to array"],
    ["array_agg(id / 2.0)", "arrays"],
    ["array_agg(s) OVER ()", "array_agg over a window"],
    ["array_agg(DISTINCT s ORDER BY id)", "array_agg of different values"],
    ["array_agg(id > 1 ORDER BY s)", "arrays"],
    ["string_to_array(s, s)", "splitting a text by this"],
    ["string_to_array(s, '')", "splitting a text by this"],
    ["ARRAY(SELECT s FROM t)", "arrays"],
  ])("%s is refused", (expression, what) => expect(value(expression)).toBe(what));
});

describe("the elements of an array in FROM", () => {
  test.each<Pair>([
    ["t, unnest(a) AS e", "t AS t, a AS _unnest_e WHERE IS_ARRAY(a)"],
    [
      "t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n)",
      "t AS t, a AS _unnest_e AT _unnest_e_at WHERE IS_ARRAY(a)",
    ],
    ["t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE", "t AS t, a AS _unnest_e WHERE IS_ARRAY(a)"],
    [
      "t JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "t AS t JOIN t AS u ON u.id = id, u.a AS _unnest_e WHERE IS_ARRAY(u.a)",
    ],
    [
      "t LEFT JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(t.a) AS e(x)",
      "t AS t LEFT JOIN t AS u ON u.id = id, a AS _unnest_e WHERE IS_ARRAY(a)",
    ],
    [
      "t, unnest(k) AS e(x), unnest(t.a) AS f(y) WHERE e.x = 1",
      "t AS t, k AS _unnest_e, a AS _unnest_f WHERE IS_ARRAY(k) AND IS_ARRAY(a) AND CASE WHEN JSON_TYPEOF(_unnest_e) = 'number' THEN CAST(_unnest_e AS BIGINT) WHEN JSON_TYPEOF(_unnest_e) <> 'null' THEN CAST(JSON_TYPEOF(_unnest_e) AS BIGINT) END = 1",
    ],
    [
      "t JOIN t AS u USING (id) CROSS JOIN LATERAL unnest(u.a) AS e(id)",
      "t AS t JOIN t AS u ON id = u.id, u.a AS _unnest_e WHERE IS_ARRAY(u.a)",
    ],
  ])("%s", (from, said) => expect(rows(from)).toBe(said));

  test.each<Pair>([
    ["t, unnest(string_to_array(t.s, ';')) AS e(x)", "the elements of an array"],
    ["t, unnest(coalesce(t.a, ARRAY['none'])) AS e(x)", "the elements of an array"],
    ["t LEFT JOIN LATERAL unnest(t.a) AS e(x) ON TRUE", "an outer join with the elements of an array"],
    ["t, t AS u, unnest(t.a || u.a) AS e(x)", "the elements of an array"],
    [
      "t LEFT JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "the elements of an array of a query around",
    ],
    [
      "t FULL JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "the elements of an array of a query around",
    ],
    ["t JOIN LATERAL unnest(t.a) AS e(x) ON e.x = t.s", "a condition beside the elements of an array"],
    ["t, unnest(t.a) AS e(x) JOIN t AS u ON u.s = e.x", "elements of an array as the first table of a join"],
    ["t, unnest(t.a, t.b) AS e(x, y)", "the elements of an array"],
    ["t WHERE EXISTS (SELECT 1 FROM unnest(t.a) AS e(x) WHERE x = 'y')", "the elements of an array of a query around"],
    ["unnest(string_to_array('x;y', ';')) AS e(x)", "the elements of an array"],
  ])("%s is refused", (from, what) => expect(rows(from)).toBe(what));
});
