/** Arrays as Snowflake says them, by its manual; `test/engines/snowflake/arrays.test.ts` runs a part of them. */
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

function value(expression: string): string {
  try {
    const { sql } = planned(`SELECT ${expression} AS x FROM t`, manifest, { source: "snowflake" });
    return sql.replaceAll(/"|t"?\./g, "").replace(/^SELECT (.*) AS x FROM T AS t$/s, "$1");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Snowflake: ", "");
    throw error;
  }
}

const holds = (array: string, sought: string, ofNull = ""): string =>
  `CASE WHEN ARRAY_SIZE(${array}) = 0 THEN FALSE ${ofNull}WHEN ARRAY_CONTAINS(TO_VARIANT(${sought}), ${array}) THEN TRUE ` +
  `WHEN ARRAY_SIZE(ARRAY_COMPACT(${array})) = ARRAY_SIZE(${array}) THEN FALSE END`;
const ofColumn = (array: string, sought: string): string => holds(array, sought, `WHEN ${sought} IS NULL THEN NULL `);

describe("columns of arrays", () => {
  test.each<readonly [expression: string, sent: string]>([
    ["'x' = ANY (a)", holds("A", "'x'")],
    ["s <> ALL (a)", `NOT ${ofColumn("A", "S")}`],
    ["id = ANY (k)", ofColumn("K", "ID")],
    ["array_contains(a, s)", ofColumn("A", "S")],
    ["cardinality(a)", "array_size(A)"],
    ["array_length(k, 1)", "nullif(array_size(K), 0)"],
    ["array_upper(k, 1)", "nullif(array_size(K), 0)"],
    ["a[1]", "CAST(GET(A, 0) AS VARCHAR)"],
    ["k[3]", "CAST(GET(K, 2) AS BIGINT)"],
    ["a[2:3]", "ARRAY_SLICE(A, 1, 3)"],
    ["a[:2]", "ARRAY_SLICE(A, 0, 2)"],
    ["a[2:]", "ARRAY_SLICE(A, 1, GREATEST(1, ARRAY_SIZE(A)))"],
    ["a[3:1]", "ARRAY_SLICE(A, 2, 2)"],
    ["array_to_string(a, '; ')", "ARRAY_TO_STRING(ARRAY_COMPACT(A), '; ')"],
    ["array_position(a, 'x')", "(ARRAY_POSITION(TO_VARIANT('x'), A) + 1)"],
    ["a @> ARRAY['x']", "ARRAY_CONTAINS(TO_VARIANT('x'), A)"],
    ["ARRAY[1, 2] <@ k", "ARRAY_CONTAINS(TO_VARIANT(1), K) AND ARRAY_CONTAINS(TO_VARIANT(2), K)"],
    ["a && ARRAY['x', 'y']", "ARRAY_CONTAINS(TO_VARIANT('x'), A) OR ARRAY_CONTAINS(TO_VARIANT('y'), A)"],
    ["a && b", "CASE WHEN A IS NOT NULL AND B IS NOT NULL THEN ARRAYS_OVERLAP(ARRAY_COMPACT(A), ARRAY_COMPACT(B)) END"],
    ["a = '{}'", "array_size(A) = 0"],
    ["a <> ARRAY[]::text[]", "array_size(A) <> 0"],
    ["a || 'x'::text", "ARRAY_CAT(coalesce(A, ARRAY_CONSTRUCT()), ARRAY_CONSTRUCT('x'))"],
    ["array_append(k, id)", "ARRAY_CAT(coalesce(K, ARRAY_CONSTRUCT()), ARRAY_CONSTRUCT(ID))"],
    ["array_prepend(0, k)", "ARRAY_CAT(ARRAY_CONSTRUCT(0), coalesce(K, ARRAY_CONSTRUCT()))"],
    [
      "array_cat(a, b)",
      "CASE WHEN A IS NOT NULL OR B IS NOT NULL THEN ARRAY_CAT(coalesce(A, ARRAY_CONSTRUCT()), coalesce(B, ARRAY_CONSTRUCT())) END",
    ],
  ])("%s", (expression, sent) => expect(value(expression)).toBe(sent));

  test.each<readonly [expression: string, what: string]>([
    ["'x' < ANY (a)", "ANY or ALL of an array"],
    ["upper(s) = ANY (a)", "ANY or ALL of an array"],
    ["a[id]", "an element of this"],
    ["a[id:2]", "a slice with computed bounds"],
    ["array_to_string(k, ',')", "arrays"],
    ["array_to_string(a, ',', '?')", "arrays"],
    ["array_length(a, 2)", "arrays"],
    ["array_position(a, s)", "the position of a value that may be NULL"],
    ["array_remove(a, 'x')", "an array that is changed"],
    ["a @> b", "an array in another"],
    ["a @> ARRAY[s]", "an array in another"],
    ["ARRAY['x'] @> a", "an array in another"],
    ["a = b", "a comparison of arrays"],
    ["a = ARRAY['x']", "a comparison of arrays"],
    ["a < '{}'", "a comparison of arrays"],
    ["max(a)", "a comparison of arrays"],
    ["min(a) OVER (PARTITION BY s)", "a comparison of arrays"],
    ["greatest(a, b)", "a comparison of arrays"],
    ["row_number() OVER (ORDER BY a)", "a comparison of arrays"],
    ["array_agg(s ORDER BY a)", "a comparison of arrays"],
  ])("%s is refused", (expression, what) => expect(value(expression)).toBe(what));
});

describe("arrays that are made", () => {
  test.each<readonly [expression: string, sent: string]>([
    ["ARRAY['x', s, NULL]", "ARRAY_CONSTRUCT('x', S, NULL)"],
    ["ARRAY[1, id]", "ARRAY_CONSTRUCT(1, ID)"],
    ["ARRAY[true, id > 1]", "ARRAY_CONSTRUCT(TRUE, ID > 1)"],
    ["ARRAY[]::text[]", "ARRAY_CONSTRUCT()"],
    ["cardinality(ARRAY[1, 2])", "array_size(ARRAY_CONSTRUCT(1, 2))"],
    ["array_position(ARRAY['a', 'b'], s)", "(ARRAY_POSITION(TO_VARIANT(S), ARRAY_CONSTRUCT('a', 'b')) + 1)"],
    ["array_to_string(ARRAY['a', s], '-')", "ARRAY_TO_STRING(ARRAY_COMPACT(ARRAY_CONSTRUCT('a', S)), '-')"],
    [
      "array_to_string(ARRAY[1, 2], '-')",
      "ARRAY_TO_STRING(ARRAY_COMPACT(ARRAY_CONSTRUCT(CAST(1 AS VARCHAR), CAST(2 AS VARCHAR))), '-')",
    ],
    ["string_to_array(s, ',')", "CASE WHEN S = '' THEN ARRAY_CONSTRUCT() ELSE SPLIT(S, ',') END"],
    ["coalesce(a, ARRAY['none'])", "coalesce(A, ARRAY_CONSTRUCT('none'))"],
    ["array_agg(s)", "CASE WHEN count(S) > 0 THEN ARRAY_AGG(S) END"],
    [
      "array_agg(s ORDER BY id DESC)",
      "CASE WHEN count(S) > 0 THEN ARRAY_AGG(S) WITHIN GROUP (ORDER BY ID DESC NULLS LAST) END",
    ],
    [
      "array_agg(DISTINCT id ORDER BY id) FILTER (WHERE id > 1)",
      "CASE WHEN count(CASE WHEN ID > 1 THEN ID END) > 0 THEN ARRAY_AGG(DISTINCT CASE WHEN ID > 1 THEN ID END) " +
        "WITHIN GROUP (ORDER BY CASE WHEN ID > 1 THEN ID END NULLS LAST) END",
    ],
    [
      "(array_agg(s ORDER BY id))[1]",
      "CAST(GET(CASE WHEN count(S) > 0 THEN ARRAY_AGG(S) WITHIN GROUP (ORDER BY ID NULLS LAST) END, 0) AS VARCHAR)",
    ],
    [
      "array_to_string(array_agg(DISTINCT s ORDER BY s), ', ')",
      "CASE WHEN count(S) > 0 THEN listagg(DISTINCT S, ', ') WITHIN GROUP (ORDER BY S NULLS LAST) END",
    ],
  ])("%s", (expression, sent) => expect(value(expression)).toBe(sent));

  test.each<readonly [expression: string, what: string]>([
    ["ARRAY[1.5]", "arrays"],
    ["ARRAY[NULL]", "arrays"],
    ["ARRAY[DATE '2024-01-01']", "arrays"],
    ["ARRAY['abc']::varchar(2)[]", "a cast from array to array"],
    ["ARRAY[1, 2]::smallint[]", "a cast from array to array"],
    ["array_agg(id / 2.0)", "arrays"],
    ["array_agg(s) OVER ()", "array_agg over a window"],
    ["array_agg(DISTINCT s ORDER BY id)", "DISTINCT beside an order by something else"],
    ["string_to_array(s, s)", "splitting a text by a computed separator"],
    ["string_to_array(s, '')", "splitting a text by a computed separator"],
  ])("%s is refused", (expression, what) => expect(value(expression)).toBe(what));
});

function rows(from: string, items: string): string {
  try {
    return planned(`SELECT ${items} FROM ${from}`, manifest, { source: "snowflake" }).sql.replaceAll('"', "");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Snowflake: ", "");
    throw error;
  }
}

const FLATTENED = "LATERAL FLATTEN(INPUT => ARRAY_GENERATE_RANGE(0, ARRAY_SIZE(t.A))) AS e";
const ELEMENT = "CAST(GET(t.A, e.INDEX) AS VARCHAR)";

describe("the elements of an array in FROM", () => {
  test.each<readonly [from: string, items: string, sent: string]>([
    ["t, unnest(a) AS e", "id, e", `SELECT t.ID AS id, ${ELEMENT} AS e FROM T AS t, ${FLATTENED}`],
    [
      "t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n)",
      "x, n",
      `SELECT ${ELEMENT} AS x, e.INDEX + 1 AS n FROM T AS t CROSS JOIN ${FLATTENED}`,
    ],
    [
      "t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE",
      "upper(x) AS u",
      `SELECT upper(${ELEMENT}) AS u FROM T AS t CROSS JOIN ${FLATTENED}`,
    ],
    [
      "t, unnest(string_to_array(t.s, ';')) AS e(x)",
      "x",
      "SELECT CAST(e.VALUE AS VARCHAR) AS x FROM T AS t, LATERAL FLATTEN(INPUT => SPLIT(NULLIF(t.S, ''), ';')) AS e",
    ],
    [
      "t, unnest(coalesce(t.a, ARRAY['none'])) AS e(x)",
      "x",
      "SELECT CAST(GET(coalesce(t.A, ARRAY_CONSTRUCT('none')), e.INDEX) AS VARCHAR) AS x FROM T AS t, " +
        "LATERAL FLATTEN(INPUT => ARRAY_GENERATE_RANGE(0, ARRAY_SIZE(coalesce(t.A, ARRAY_CONSTRUCT('none'))))) AS e",
    ],
    [
      "unnest(string_to_array('x;y', ';')) WITH ORDINALITY AS e(x, n)",
      "x, n",
      "SELECT CAST(e.VALUE AS VARCHAR) AS x, e.INDEX + 1 AS n FROM TABLE(FLATTEN(INPUT => SPLIT(NULLIF('x;y', ''), ';'))) AS e",
    ],
  ])("%s", (from, items, sent) => expect(rows(from, items)).toBe(sent));

  test("are one value wherever they are named", () => {
    expect(rows("t, unnest(a) AS e(x)", "array_agg(DISTINCT x ORDER BY x) AS b")).toBe(
      `SELECT CASE WHEN count(${ELEMENT}) > 0 THEN ARRAY_AGG(DISTINCT ${ELEMENT}) WITHIN GROUP (ORDER BY ${ELEMENT} NULLS LAST) END ` +
        `AS b FROM T AS t, ${FLATTENED}`,
    );
  });

  test("are named in all clauses of a query, and not in those around it", () => {
    const sql =
      "SELECT q.e AS v FROM (SELECT e, count(*) AS n FROM t, unnest(a) AS e WHERE e > 'a' GROUP BY e HAVING count(*) > 1 ORDER BY n, e LIMIT 9) AS q " +
      "UNION SELECT e FROM t, unnest(b) AS e ORDER BY 1";
    expect(planned(sql, manifest, { source: "snowflake" }).sql.replaceAll('"', "")).toBe(
      `SELECT q.e AS v FROM (SELECT ${ELEMENT} AS e, count(*) AS n FROM T AS t, ${FLATTENED} WHERE ${ELEMENT} > 'a' ` +
        `GROUP BY ${ELEMENT} HAVING count(*) > 1 ORDER BY count(*), ${ELEMENT} LIMIT 9) AS q ` +
        `UNION SELECT ${ELEMENT} AS e FROM T AS t, ${FLATTENED} ORDER BY 1 NULLS LAST`.replaceAll("t.A", "t.B"),
    );
  });

  test.each<readonly [from: string, what: string]>([
    ["t, unnest(k) AS e(x)", "the elements of an array"],
    ["t LEFT JOIN LATERAL unnest(t.a) AS e(x) ON TRUE", "an outer join with the elements of an array"],
    ["t JOIN LATERAL unnest(t.a) AS e(x) ON e.x = t.s", "a condition beside the elements of an array"],
    ["t, unnest(t.a) AS e(x) JOIN t AS u ON u.s = e.x", "elements of an array as the first table of a join"],
    ["t, unnest(t.a, t.b) AS e(x, y)", "the elements of an array"],
  ])("%s is refused", (from, what) => expect(rows(from, "1 AS one")).toBe(what));
});
