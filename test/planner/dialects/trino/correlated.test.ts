/** Subqueries for which Trino 476 was seen to have no plan; `test/sent-sql/dialects/trino.ts` lists similar ones that it plans. */
import { expect, test } from "vitest";
import { TRINO_TABLES } from "../../../sent-sql/dialects/trino.ts";
import { planned } from "../../../support/plan.ts";

/** Without the full join, the subqueries would become joins. */
const sqlOf = (sql: string): string => planned(sql, TRINO_TABLES, { source: "trino" }).sql;

test.each([
  [
    "SELECT l.a, (SELECT x FROM t WHERE t.k = l.k AND x > l.a ORDER BY x LIMIT 1) FROM l FULL JOIN l AS f ON f.a = l.a",
    "LIMIT",
  ],
  [
    "SELECT l.a, (SELECT x FROM t WHERE t.k + 1 = l.k ORDER BY x LIMIT 1) FROM l FULL JOIN l AS f ON f.a = l.a",
    "LIMIT",
  ],
  ["SELECT l.a FROM l WHERE EXISTS (SELECT 1 FROM t WHERE x > l.a LIMIT 1)", "LIMIT"],
  [
    "SELECT l.a, (SELECT max(x) FROM (SELECT x FROM t WHERE t.k = l.k ORDER BY x LIMIT 3) q) FROM l",
    "LIMIT of a derived table",
  ],
  [
    "SELECT l.a, (SELECT x FROM t WHERE t.k = l.k ORDER BY x OFFSET 1 LIMIT 1) FROM l FULL JOIN l AS f ON f.a = l.a",
    "OFFSET",
  ],
  ["SELECT l.a FROM l WHERE EXISTS (SELECT k FROM t WHERE t.k = l.k EXCEPT SELECT 2)", "a set operation"],
  ["SELECT l.a, (SELECT count(*) FROM unnest(l.arr) AS u(e) WHERE e > 1) FROM l", "some elements of an array"],
  ["SELECT l.a FROM l WHERE 2 IN (SELECT e FROM unnest(l.arr) AS u(e))", "some elements of an array"],
  ["SELECT l.a, (SELECT count(*) FROM unnest(l.arr) AS u(e) JOIN t ON t.x = u.e) FROM l", "some elements of an array"],
  [
    "SELECT l.a, d.r FROM l, LATERAL (SELECT row_number() OVER (ORDER BY x) AS r FROM t WHERE t.k = l.k) AS d",
    "a window function",
  ],
  [
    "SELECT l.a, (SELECT sum(x + l.a) FROM t WHERE t.k = l.k) FROM l FULL JOIN l AS f ON f.a = l.a",
    "a value computed with these",
  ],
  [
    "SELECT l.a, (SELECT count(*) FROM (SELECT x FROM t WHERE t.k = l.k) q JOIN t u ON u.x = q.x) FROM l",
    "a derived table beside others",
  ],
  ["SELECT l.a, (SELECT sum(x) FROM t WHERE t.k = l.k HAVING sum(x) > 2) FROM l", "HAVING without GROUP BY"],
  ["SELECT l.a FROM l WHERE EXISTS (SELECT 1 FROM t WHERE t.k = l.k HAVING sum(x) > 2)", "HAVING without GROUP BY"],
  ["SELECT l.a FROM l WHERE 6 IN (SELECT sum(x) FROM t WHERE t.k = l.k)", "groups of rows of IN"],
  ["SELECT l.a FROM l WHERE 6 IN (SELECT x FROM t WHERE t.k = l.k GROUP BY x)", "groups of rows of IN"],
  ["SELECT l.a FROM l WHERE 6 IN (SELECT DISTINCT x FROM t WHERE t.k = l.k)", "groups of rows of IN"],
  [
    "SELECT l.a FROM l WHERE 6 IN (SELECT z FROM (SELECT max(x) AS z FROM t WHERE t.k = l.k) q)",
    "groups of rows of IN",
  ],
  [
    "SELECT l.a, (SELECT sum((SELECT max(a) FROM l AS u)) FROM t WHERE t.k = l.k) FROM l FULL JOIN l AS f ON f.a = l.a",
    "a value of a subquery",
  ],
  [
    "SELECT l.a, (SELECT count(*) FILTER (WHERE x IN (SELECT a FROM l AS u)) FROM t WHERE t.k = l.k) FROM l FULL JOIN l AS f ON f.a = l.a",
    "a value of a subquery",
  ],
  [
    "SELECT l.a, (SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM l AS u WHERE u.a = x)) FROM t WHERE t.k = l.k) FROM l FULL JOIN l AS f ON f.a = l.a",
    "a value of a subquery",
  ],
  ["SELECT l.a, (SELECT CASE WHEN l.a IN (SELECT x FROM t) THEN 1 END) FROM l", "a value of a subquery"],
  [
    "SELECT l.a, (SELECT x FROM t WHERE t.k = l.k ORDER BY x + (SELECT max(a) FROM l AS u) LIMIT 1) FROM l FULL JOIN l AS f ON f.a = l.a",
    "a value of a subquery",
  ],
  [
    "SELECT l.a, (SELECT sum(x) FROM t WHERE t.k = l.k GROUP BY t.k HAVING sum(x) > (SELECT max(a) FROM l AS u)) FROM l",
    "a value of a subquery",
  ],
])("refuses %s", (sql, what) => {
  const message = `not supported on Trino: ${what} in a subquery that names columns of the query around it`;
  expect(() => sqlOf(sql)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }));
});

test.each([
  [
    "SELECT l.a, d.m FROM l JOIN LATERAL (SELECT DISTINCT min(x) AS m FROM t WHERE t.k = l.k) d ON d.m > 0",
    "a condition of JOIN LATERAL beside aggregates",
  ],
  [
    "SELECT a FROM l WHERE EXISTS (SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.x = l.a))",
    "a column of a query that is two further out",
  ],
])("refuses %s", (sql, what) => {
  expect(() => sqlOf(sql)).toThrow(expect.objectContaining({ message: `not supported on Trino: ${what}` }));
});
