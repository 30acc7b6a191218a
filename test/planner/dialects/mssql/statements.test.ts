/** Refusals of SQL Server; `test/sent-sql/dialects/mssql.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { MSSQL_TABLE } from "../../../sent-sql/dialects/mssql.ts";
import { planned } from "../../../support/plan.ts";

const plan = (sql: string) => planned(sql, MSSQL_TABLE, { source: "mssql" });

describe("regular expressions", () => {
  test.each([
    ["s ~ '\\w'", "the regular expression"],
    ["s ~ '^.$'", "the regular expression"],
    ["s ~ s", "the regular expression"],
    ["regexp_replace(s, '(a)', '\\1') = ''", "a match in its own replacement"],
    ["regexp_replace(s, '[^a]', '-', 'g') = ''", "regexp_replace of this pattern"],
    ["regexp_replace(s, 'ab', '-', 'g') = ''", "regexp_replace of this pattern"],
    ["regexp_replace(s, 'a|b', '-') = ''", "regexp_replace of this pattern"],
    ["regexp_replace(s, 'a+?', '-') = ''", "regexp_replace of this pattern"],
    ["regexp_substr(s, 'a|b') = ''", "the match of this regular expression"],
  ])("%s is refused", (condition, why) => expect(() => plan(`SELECT id FROM t WHERE ${condition}`)).toThrow(why));
});

describe("refused", () => {
  test.each([
    ["SELECT id FROM t WHERE (id, n) NOT IN (SELECT id, n FROM t)", "IN over rows"],
    ["SELECT (f::int * f)::int AS x FROM t", "a cast from a long expression of doubles to an integer"],
    ["SELECT n::text || (n + 1)::text AS x FROM t", "the text of a number that is computed"],
    ["SELECT s LIKE s AS x FROM t", "LIKE with a computed pattern"],
    ["SELECT sum(ts - ts) AS x FROM t", "an interval as a value"],
    ["SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n * (SELECT 1)) AS x FROM t", "a percentile of groups"],
    ["SELECT sum(n) OVER (ORDER BY id RANGE 1 PRECEDING) AS x FROM t", "a RANGE frame with a distance"],
    [
      "WITH RECURSIVE x AS (SELECT 1 AS n UNION SELECT n + 1 FROM x WHERE n < 3) SELECT n FROM x",
      "a common table that names itself but by UNION ALL",
    ],
    [
      "WITH RECURSIVE x AS (SELECT id AS n FROM t UNION ALL SELECT t.id FROM t LEFT JOIN x ON t.id = x.n) SELECT n FROM x",
      "a common table that names itself in an outer join, a subquery or a grouped query",
    ],
    [
      "WITH RECURSIVE x AS (SELECT n FROM t UNION ALL SELECT n * 1.05 FROM x) SELECT n FROM x",
      "a recursive table whose decimals grow",
    ],
    ["SELECT j -> 'a' AS x FROM t", "a member of json as json"],
    ["SELECT j #>> '{a,0}' AS x FROM t", "a path into json with positions or computed steps"],
    ["SELECT split_part(s, s, 1) AS x FROM t", "split_part with these arguments"],
    ["SELECT id FROM t WHERE (s, id) > ('a', 1)", "> of rows with a text before others"],
    ["SELECT TIME '24:00:00' AS x FROM t", "the end of a day"],
    ["SELECT sum((SELECT 1)) AS x FROM t", "an aggregate over a subquery"],
    ["SELECT sum(CASE WHEN id IN (SELECT id FROM t) THEN 1 END) AS x FROM t", "an aggregate over a subquery"],
    ["SELECT x FROM (SELECT 7 AS x FROM t ORDER BY count(*)) AS q", "an aggregate in ORDER BY alone"],
    ["SELECT count(*) AS x FROM t GROUP BY (SELECT t.id)", "groups by a subquery"],
    ["SELECT 'Infinity'::float8 AS x FROM t", "'Infinity' as a number"],
    [
      "SELECT (SELECT q.m FROM (WITH x AS (SELECT t.id AS m) SELECT m FROM x) AS q) AS y FROM t",
      "a common table with columns of a query around it",
    ],
  ])("%s: %s", (sql, what) => {
    expect(() => plan(sql)).toThrow(PlannerError);
    expect(() => plan(sql)).toThrow(`not supported on SQL Server: ${what}`);
  });
});

test("several orders in one group, which are error 8711", () => {
  expect(() => plan("SELECT array_agg(id ORDER BY s), string_agg(s, ',' ORDER BY id) FROM t")).toThrow(
    "several orders",
  );
  expect(() => plan("SELECT array_agg(id ORDER BY s), string_agg(s, ',' ORDER BY s) FROM t")).not.toThrow();
  expect(() => plan("SELECT array_agg(id ORDER BY s), string_agg(s, ',') FROM t")).not.toThrow();
});
