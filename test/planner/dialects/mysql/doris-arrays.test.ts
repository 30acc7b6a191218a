/** Arrays that are not supported on Doris; `test/sent-sql/dialects/doris-arrays.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { DORIS_ARRAYS_TABLE } from "../../../sent-sql/dialects/doris-arrays.ts";
import { planned } from "../../../support/plan.ts";

function refusal(sql: string): string {
  try {
    return `sent: ${planned(sql, DORIS_ARRAYS_TABLE, { source: "doris" }).sql}`;
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Doris: ", "");
    throw error;
  }
}

describe("values", () => {
  test.each([
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
  ])("%s is refused", (expression, what) => expect(refusal(`SELECT ${expression} AS x FROM t`)).toBe(what));
});

describe("the elements of an array in FROM", () => {
  test.each([
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
  ])("%s is refused", (from, what) => expect(refusal(`SELECT 1 AS one FROM ${from}`)).toBe(what));
});
