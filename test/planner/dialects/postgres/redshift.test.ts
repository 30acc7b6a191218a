/** Refusals of Redshift and its settings; `test/sent-sql/dialects/redshift.ts` lists what is supported. */
import { expect, test } from "vitest";
import { REDSHIFT_TABLE } from "../../../sent-sql/dialects/redshift.ts";
import { planned } from "../../../support/plan.ts";

const refusal = (sql: string) => () => planned(sql, REDSHIFT_TABLE, { source: "redshift" });

test("a statement brings the settings that its meaning rests on", () => {
  expect(planned("SELECT id FROM t", REDSHIFT_TABLE, { source: "redshift" }).session).toEqual([
    { name: "enable_case_sensitive_identifier", value: "true" },
    { name: "enable_numeric_rounding", value: "on" },
  ]);
});

test.each([
  ["SELECT (1 + n / any_digits) / any_digits AS x FROM t", "a division whose digits are unknown, or many"],
  ["SELECT (f::int * f)::int AS x FROM t", "a cast from a long expression of doubles to an integer"],
  ["SELECT round(f) AS x FROM t", "round of a float"],
  ["SELECT CAST(ts AS text) AS x FROM t", "the text of a value of type timestamp"],
  ["SELECT avg(id) OVER (ORDER BY d) AS x FROM t", "a window up to rows that are equal in its order"],
  ["SELECT last_value(id) OVER (ORDER BY d) AS x FROM t", "a window up to rows that are equal in its order"],
  ["SELECT sum(sum(n)) OVER (ORDER BY d) AS x FROM t GROUP BY d, b", "a window up to rows that are equal in its order"],
  ["SELECT id FROM t ORDER BY avg(id) OVER (ORDER BY d)", "a window function in ORDER BY"],
  ["SELECT rank() OVER () AS x FROM t", "rank without an order"],
  ["SELECT id FROM t WHERE s ~ 'a\\w'", "the regular expression"],
  ["SELECT id FROM t WHERE s ~ 'a\\^'", "the regular expression"],
  ["SELECT id FROM t WHERE s ~ 'a*?b'", "the regular expression"],
  ["SELECT id FROM t WHERE s ~* '[à-ü]'", "the regular expression"],
  ["SELECT regexp_replace(s, 'a*', 'b') AS x FROM t", "regexp_replace of what may be empty"],
  ["SELECT regexp_replace(s, 'a', '5') AS x FROM t", "the replacement text of a regular expression"],
  ["SELECT regexp_replace(s, 'a', '$') AS x FROM t", "the replacement text of a regular expression"],
  ["SELECT (regexp_match(s, '(a)(b)'))[2] AS x FROM t", "another group of a match than the first"],
  ["SELECT regexp_match(s, '(a)(b)') AS x FROM t", "all groups of a match"],
  ["SELECT j -> 'a' AS x FROM t", "a member of json as json"],
  ["SELECT id FROM t WHERE n > ALL (SELECT u.n FROM t AS u WHERE u.id = t.id)", "> ALL of a query"],
  ["SELECT id FROM t WHERE s > ALL (SELECT s FROM t)", "> ALL of a query"],
  ["SELECT max(b) AS x FROM t", "the least or greatest boolean"],
  ["SELECT ARRAY[id > 1] AS x FROM t", "arrays"],
  ["SELECT ts AT TIME ZONE 'Mars/Olympus' AS x FROM t", "another time zone than UTC"],
  ["SELECT sum(ts - tz) AS x FROM t", "an interval as a value"],
  ["SELECT id FROM t LIMIT (SELECT 1)", "a computed LIMIT or OFFSET"],
])("%s is refused", (sql, what) => {
  expect(refusal(sql)).toThrow(
    expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: `not supported on Redshift: ${what}` }),
  );
});

test("functions that nobody has looked at do not pass", () => {
  expect(refusal("SELECT pg_last_query_id() AS x FROM t")).toThrow();
  expect(refusal("SELECT my_lambda(s) AS x FROM t")).toThrow();
});
