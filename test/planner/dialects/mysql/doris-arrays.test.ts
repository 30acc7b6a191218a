/** Arrays as Doris says them, by its manual; `test/engines/doris/arrays.test.ts` runs a part of them. */
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
    return planned(sql, manifest, { source: "doris" }).sql.replaceAll(/[`"]|\bt[`"]?\./g, "");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Doris: ", "");
    throw error;
  }
}

const value = (expression: string): string =>
  sent(`SELECT ${expression} AS x FROM t`).replace(/^SELECT (.*) AS x FROM t AS t$/s, "$1");

const rows = (from: string): string => sent(`SELECT 1 AS one FROM ${from}`).replace("SELECT 1 AS one FROM ", "");

type Pair = readonly [written: string, said: string];

describe("values", () => {
  test.each<Pair>([
    ["'x' = ANY (a)", "CASE WHEN ARRAY_CONTAINS(a, 'x') THEN TRUE WHEN NOT ARRAY_CONTAINS(a, NULL) THEN FALSE END"],
    [
      "s <> ALL (a)",
      "NOT CASE WHEN CARDINALITY(a) = 0 THEN FALSE WHEN s IS NULL THEN NULL WHEN ARRAY_CONTAINS(a, s) THEN TRUE WHEN NOT ARRAY_CONTAINS(a, NULL) THEN FALSE END",
    ],
    [
      "id = ANY (k)",
      "CASE WHEN CARDINALITY(k) = 0 THEN FALSE WHEN id IS NULL THEN NULL WHEN ARRAY_CONTAINS(k, id) THEN TRUE WHEN NOT ARRAY_CONTAINS(k, NULL) THEN FALSE END",
    ],
    [
      "array_contains(a, s)",
      "CASE WHEN CARDINALITY(a) = 0 THEN FALSE WHEN s IS NULL THEN NULL WHEN ARRAY_CONTAINS(a, s) THEN TRUE WHEN NOT ARRAY_CONTAINS(a, NULL) THEN FALSE END",
    ],
    ["cardinality(a)", "cardinality(a)"],
    ["array_length(k, 1)", "nullif(cardinality(k), 0)"],
    ["array_upper(k, 1)", "nullif(cardinality(k), 0)"],
    ["a[1]", "ELEMENT_AT(a, 1)"],
    ["k[3]", "ELEMENT_AT(k, 3)"],
    ["a[2:3]", "TO_JSON(ARRAY_SLICE(a, 2, 2))"],
    ["a[:2]", "TO_JSON(ARRAY_SLICE(a, 1, 2))"],
    ["a[2:]", "TO_JSON(ARRAY_SLICE(a, 2))"],
    ["a[3:1]", "TO_JSON(ARRAY_SLICE(a, 3, 0))"],
    ["array_to_string(a, '; ')", "ARRAY_JOIN(a, '; ')"],
    ["array_to_string(k, ',', '?')", "ARRAY_JOIN(k, ',', '?')"],
    ["array_position(a, 'x')", "NULLIF(ARRAY_POSITION(a, 'x'), 0)"],
    ["array_remove(a, 'x')", "TO_JSON(ARRAY_REMOVE(a, 'x'))"],
    ["a @> ARRAY['x']", "ARRAY_CONTAINS(a, 'x')"],
    ["ARRAY[1, 2] <@ k", "ARRAY_CONTAINS(k, 1) AND ARRAY_CONTAINS(k, 2)"],
    [
      "a && ARRAY['x', 'y']",
      "CASE WHEN a IS NOT NULL AND ARRAY('x', 'y') IS NOT NULL THEN COALESCE(ARRAYS_OVERLAP(a, ARRAY('x', 'y')), FALSE) END",
    ],
    ["a && b", "CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN COALESCE(ARRAYS_OVERLAP(a, b), FALSE) END"],
    ["a = '{}'", "cardinality(a) = 0"],
    ["a <> ARRAY[]::text[]", "cardinality(a) <> 0"],
    ["a || 'x'::text", "TO_JSON(ARRAY_CONCAT(coalesce(a, CAST(ARRAY() AS ARRAY<STRING>)), ARRAY('x')))"],
    ["array_append(k, id)", "TO_JSON(ARRAY_CONCAT(coalesce(k, CAST(ARRAY() AS ARRAY<INT>)), ARRAY(id)))"],
    ["array_prepend(0, k)", "TO_JSON(ARRAY_CONCAT(ARRAY(0), coalesce(k, CAST(ARRAY() AS ARRAY<INT>))))"],
    [
      "array_cat(a, b)",
      "TO_JSON(CASE WHEN a IS NOT NULL OR b IS NOT NULL THEN ARRAY_CONCAT(coalesce(a, CAST(ARRAY() AS ARRAY<STRING>)), coalesce(b, CAST(ARRAY() AS ARRAY<STRING>))) END)",
    ],
    [
      "upper('x') = ANY (a)",
      "CASE WHEN ARRAY_CONTAINS(a, upper('x')) THEN TRUE WHEN NOT ARRAY_CONTAINS(a, NULL) THEN FALSE END",
    ],
    ["ARRAY['x', s, NULL]", "TO_JSON(ARRAY('x', s, NULL))"],
    ["ARRAY[1, id]", "TO_JSON(ARRAY(1, id))"],
    ["ARRAY[true, id > 1]", "TO_JSON(ARRAY(TRUE, id > 1))"],
    ["ARRAY[]::text[]", "TO_JSON(CAST(ARRAY() AS ARRAY<STRING>))"],
    ["cardinality(ARRAY[1, 2])", "cardinality(ARRAY(1, 2))"],
    ["array_position(ARRAY['a', 'b'], s)", "NULLIF(ARRAY_POSITION(ARRAY('a', 'b'), s), 0)"],
    ["array_to_string(ARRAY['a', s], '-')", "ARRAY_JOIN(ARRAY('a', s), '-')"],
    [
      "string_to_array(s, ',')",
      "TO_JSON(CASE WHEN s = '' THEN CAST(ARRAY() AS ARRAY<STRING>) ELSE SPLIT_BY_STRING(s, ',') END)",
    ],
    ["coalesce(a, ARRAY['none'])", "TO_JSON(coalesce(a, ARRAY('none')))"],
    ["array_agg(s)", "TO_JSON(CASE WHEN count(s) > 0 THEN collect_list(s) END)"],
    ["array_agg(s ORDER BY s DESC)", "TO_JSON(CASE WHEN count(s) > 0 THEN array_reverse_sort(collect_list(s)) END)"],
    [
      "array_agg(s ORDER BY id DESC)",
      "TO_JSON(CASE WHEN count(s) > 0 THEN ARRAY_MAP(_e -> SUBSTRING(UNHEX(_e), 2), SPLIT_BY_STRING(COALESCE(GROUP_CONCAT(HEX(CONCAT('x', s)), ',' ORDER BY id DESC), ''), ',')) END)",
    ],
    [
      "array_agg(id ORDER BY s, id)",
      "TO_JSON(CASE WHEN count(id) > 0 THEN CAST(SPLIT_BY_STRING(GROUP_CONCAT(CAST(id AS STRING), ',' ORDER BY s NULLS LAST, id NULLS LAST), ',') AS ARRAY<BIGINT>) END)",
    ],
    [
      "array_agg(DISTINCT id ORDER BY id) FILTER (WHERE id > 1)",
      "TO_JSON(CASE WHEN count(CASE WHEN id > 1 THEN id END) > 0 THEN array_sort(collect_set(CASE WHEN id > 1 THEN id END)) END)",
    ],
    [
      "(array_agg(s ORDER BY id))[1]",
      "ELEMENT_AT(CASE WHEN count(s) > 0 THEN ARRAY_MAP(_e -> SUBSTRING(UNHEX(_e), 2), SPLIT_BY_STRING(COALESCE(GROUP_CONCAT(HEX(CONCAT('x', s)), ',' ORDER BY id NULLS LAST), ''), ',')) END, 1)",
    ],
    [
      "array_to_string(array_agg(DISTINCT s ORDER BY s), ', ')",
      "ARRAY_JOIN(CASE WHEN count(s) > 0 THEN array_sort(collect_set(s)) END, ', ')",
    ],
  ])("%s", (expression, said) => expect(value(expression)).toBe(said));

  test.each<Pair>([
    ["'x' < ANY (a)", "ANY or ALL of an array"],
    ["upper(s) = ANY (a)", "ANY or ALL of an array"],
    ["a[id]", "an element of this"],
    ["a[0]", "an element of this"],
    ["a[id:2]", "a slice with computed bounds"],
    ["array_length(a, 2)", "arrays"],
    ["array_position(a, s)", "the position of a value that may be NULL"],
    ["array_remove(a, s)", "array_remove of a value that may be NULL"],
    ["array_replace(a, 'x', 'y')", "an array that is changed"],
    ["a @> b", "an array in another"],
    ["a @> ARRAY[s]", "an array in another"],
    ["ARRAY['x'] @> a", "an array in another"],
    ["a && k", "arrays that are compared with &&"],
    ["a = b", "a comparison of arrays"],
    ["a = ARRAY['x']", "a comparison of arrays"],
    ["a < '{}'", "a comparison of arrays"],
    ["max(a)", "a comparison of arrays"],
    ["min(a) OVER (PARTITION BY s)", "a comparison of arrays"],
    ["greatest(a, b)", "a comparison of arrays"],
    ["row_number() OVER (ORDER BY a)", "a comparison of arrays"],
    ["array_agg(s ORDER BY a)", "a comparison of arrays"],
    ["ARRAY[1.5]", "an array of such elements in the answer"],
    ["ARRAY[NULL]", "an array of such elements in the answer"],
    ["ARRAY[DATE '2024-01-01']", "an array of such elements in the answer"],
    ["ARRAY['abc']::varchar(2)[]", "a cast from array to array"],
    ["ARRAY[1, 2]::smallint[]", "a cast from array to array"],
    ["array_agg(id / 2.0)", "arrays"],
    ["array_agg(s) OVER ()", "array_agg over a window"],
    ["array_agg(DISTINCT s ORDER BY id)", "DISTINCT beside an order by something else"],
    ["array_agg(id > 1 ORDER BY s)", "array_agg in the order of other values"],
    ["string_to_array(s, s)", "splitting a text by a computed separator"],
    ["string_to_array(s, '')", "splitting a text by a computed separator"],
    ["ARRAY(SELECT s FROM t)", "arrays"],
  ])("%s is refused", (expression, what) => expect(value(expression)).toBe(what));
});

describe("the elements of an array in FROM", () => {
  test.each<Pair>([
    ["t, unnest(a) AS e", "t AS t LATERAL VIEW EXPLODE(a) e AS e"],
    [
      "t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n)",
      "t AS t LATERAL VIEW EXPLODE(a, ARRAY_ENUMERATE(a)) e AS x, n",
    ],
    ["t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE", "t AS t LATERAL VIEW EXPLODE(a) e AS x"],
    [
      "t, unnest(string_to_array(t.s, ';')) AS e(x)",
      "t AS t LATERAL VIEW EXPLODE(SPLIT_BY_STRING(NULLIF(s, ''), ';')) e AS x",
    ],
    [
      "t, unnest(coalesce(t.a, ARRAY['none'])) AS e(x)",
      "t AS t LATERAL VIEW EXPLODE(coalesce(a, ARRAY('none'))) e AS x",
    ],
    ["t LEFT JOIN LATERAL unnest(t.a) AS e(x) ON TRUE", "t AS t LATERAL VIEW EXPLODE_OUTER(a) e AS x"],
    [
      "t JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "t AS t JOIN (t AS u LATERAL VIEW EXPLODE(u.a) e AS x) ON u.id = id",
    ],
    [
      "t LEFT JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(t.a) AS e(x)",
      "t AS t LATERAL VIEW EXPLODE(a) e AS x LEFT JOIN t AS u ON u.id = id",
    ],
    [
      "t, unnest(k) AS e(x), unnest(t.a) AS f(y) WHERE e.x = 1",
      "t AS t LATERAL VIEW EXPLODE(k) e AS x LATERAL VIEW EXPLODE(a) f AS y WHERE e.x = 1",
    ],
    [
      "t JOIN t AS u USING (id) CROSS JOIN LATERAL unnest(u.a) AS e(id)",
      "t AS t JOIN (t AS u LATERAL VIEW EXPLODE(u.a) e AS id) ON id = u.id",
    ],
  ])("%s", (from, said) => expect(rows(from)).toBe(said));

  test.each<Pair>([
    ["t, t AS u, unnest(t.a || u.a) AS e(x)", "the elements of an array of several tables, or of a query around"],
    [
      "t LEFT JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "the elements of an array of several tables, or of a query around",
    ],
    [
      "t FULL JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "the elements of an array of several tables, or of a query around",
    ],
    ["t JOIN LATERAL unnest(t.a) AS e(x) ON e.x = t.s", "a condition beside the elements of an array"],
    ["t, unnest(t.a) AS e(x) JOIN t AS u ON u.s = e.x", "elements of an array as the first table of a join"],
    ["t, unnest(t.a, t.b) AS e(x, y)", "the elements of an array"],
    [
      "t WHERE EXISTS (SELECT 1 FROM unnest(t.a) AS e(x) WHERE x = 'y')",
      "the elements of an array of several tables, or of a query around",
    ],
    ["unnest(string_to_array('x;y', ';')) AS e(x)", "the elements of an array"],
  ])("%s is refused", (from, what) => expect(rows(from)).toBe(what));
});

test("an array in the columns of an answer is json, and an array within the query is one", () => {
  expect(sent("SELECT q.a, q.a[1] AS f FROM (SELECT a FROM t) AS q UNION ALL SELECT b, s FROM t")).toBe(
    "SELECT TO_JSON(q.a) AS a, ELEMENT_AT(q.a, 1) AS f FROM (SELECT a FROM t AS t) AS q UNION ALL SELECT TO_JSON(b) AS b, s FROM t AS t",
  );
});
