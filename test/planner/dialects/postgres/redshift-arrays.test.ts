/** Arrays that are not supported on Redshift; `test/sent-sql/dialects/redshift-arrays.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { REDSHIFT_ARRAYS_TABLE } from "../../../sent-sql/dialects/redshift-arrays.ts";
import { planned } from "../../../support/plan.ts";

function refusal(sql: string): string {
  try {
    return `sent: ${planned(sql, REDSHIFT_ARRAYS_TABLE, { source: "redshift" }).sql}`;
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Redshift: ", "");
    throw error;
  }
}

describe("values", () => {
  test.each([
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
  ])("%s is refused", (expression, what) => expect(refusal(`SELECT ${expression} AS x FROM t`)).toBe(what));
});

describe("the elements of an array in FROM", () => {
  test.each([
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
  ])("%s is refused", (from, what) => expect(refusal(`SELECT 1 AS one FROM ${from}`)).toBe(what));
});
