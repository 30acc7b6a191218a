/** Refusals of Oracle; `test/sent-sql/dialects/oracle.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { ORACLE_TABLE } from "../../../sent-sql/dialects/oracle.ts";
import { planned } from "../../../support/plan.ts";

const sqlOf = (sql: string): string => planned(sql, ORACLE_TABLE, { source: "oracle" }).sql;

function refusal(sql: string): string {
  try {
    return sqlOf(sql);
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") {
      return error.message.replace("not supported on Oracle: ", "");
    }
    throw error;
  }
}

describe("an empty text, which is NULL on Oracle,", () => {
  test.each([
    ["SELECT '' AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT coalesce(s, '') AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT id FROM t WHERE s = ''", "a comparison with ''"],
    ["SELECT id FROM t WHERE s IN ('a', '')", "a comparison with ''"],
    ["SELECT trim(s) AS x, count(*) AS n FROM t GROUP BY trim(s)", "an empty text that must differ from NULL"],
    ["SELECT DISTINCT trim(s) AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT id FROM t ORDER BY trim(s)", "an empty text that must differ from NULL"],
    ["SELECT min(trim(s)) AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT coalesce(trim(s), u) AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT trim(s) AS x FROM t UNION SELECT u FROM t", "an empty text that must differ from NULL"],
    // The column of the derived table may be either of the two.
    ["SELECT q.x FROM (SELECT trim(s) AS x FROM t) AS q WHERE q.x IS NULL", "an empty text that must differ from NULL"],
    ["SELECT string_agg(trim(s), ',') AS x FROM t", "an empty text that must differ from NULL"],
  ])("is refused: %s", (sql, why) => expect(refusal(sql)).toBe(why));
});

test("lists of more than a thousand values are several", () => {
  const list = Array.from({ length: 1001 }, (_, index) => index).join(", ");
  expect(sqlOf(`SELECT id FROM t WHERE id NOT IN (${list})`)).toMatch(/999\) AND "t"\."id" NOT IN \(1000\)$/);
});

test.each([
  ["SELECT j -> 'a' AS x FROM t", "a member of json as json"],
  ["SELECT j FROM t GROUP BY j", "a comparison of json"],
  ["SELECT 12345678901234567890123456789012345678.5 AS x FROM t", "a number of more than 38 digits"],
  ["SELECT s ~ '(?=a)' AS x FROM t", '"(?=" in a regular expression'],
  ["SELECT s ~ '\\w' AS x FROM t", "the regular expression"],
  ["SELECT regexp_replace(s, '(a|ab)(c|bcd)?', '\\1') AS x FROM t", "a pattern that may match more or less of a text"],
  ["SELECT regexp_replace(s, '(a)b', '\\2') AS x FROM t", "regexp_replace with these arguments"],
  ["SELECT regexp_replace(s, '(a)b', '\\&') AS x FROM t", "regexp_replace with these arguments"],
  ["SELECT regexp_replace(s, 'a*', 'x') AS x FROM t", "a match or a group that may be empty"],
  ["SELECT (regexp_match(s, 'a(b*)'))[1] AS x FROM t", "a match or a group that may be empty"],
  [
    "SELECT max(f) FILTER (WHERE b) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '1 day' PRECEDING AND CURRENT ROW) AS x FROM t",
    "a RANGE frame with a distance in time",
  ],
])("%s is refused", (sql, why) => expect(refusal(sql)).toBe(why));

test("a name with a quote cannot be written", () => {
  expect(() => sqlOf('SELECT id AS "a""b" FROM t')).toThrow('a name with the character "');
});
