/** Constructs that targets write in different ways, for every target. */
import { manifestOfTable } from "../../support/plan.ts";
import { over } from "./group.ts";

export const EVERY_TARGETS_TABLE = manifestOfTable({
  i: "INTEGER",
  d: "DECIMAL(10,2)",
  s: "VARCHAR",
  b: "BOOLEAN",
  day: "DATE",
  at: "DATETIME",
});

export const EVERY_TARGET = [
  ...over(EVERY_TARGETS_TABLE, {
    "constructs of every target": [
      "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      // a condition as a value
      "SELECT i > 1 AS x FROM t",
      // a value as a condition
      "SELECT i FROM t WHERE b",
      // where NULLs sort
      "SELECT i FROM t ORDER BY i DESC",
      "SELECT i FROM t ORDER BY i NULLS FIRST",
      // the quotient of integers
      "SELECT i / 2 AS x FROM t",
      // LIMIT and OFFSET
      "SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 2",
      // OFFSET alone
      "SELECT i FROM t OFFSET 2",
      "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
      // a computed LIMIT
      "SELECT i FROM t LIMIT 1 + 1",
      "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
      "SELECT DISTINCT ON (i) i, d FROM t ORDER BY i, d",
      "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
      "SELECT i FROM t QUALIFY row_number() OVER (ORDER BY i) = 1",
      "SELECT sum(i) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
      // a frame of GROUPS
      "SELECT sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS x FROM t",
      "SELECT sum(i) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS x FROM t",
      "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
      "SELECT a.i, q.n FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS n FROM t AS c WHERE c.i = a.i) AS q",
      // WITH in a subquery
      "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT i FROM c) AS q",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
      "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
      // the columns of an alias
      "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
      // equal texts
      "SELECT i FROM t WHERE s = 'a'",
      // texts as keys
      "SELECT s, count(*) AS n FROM t GROUP BY s",
      // a date and an interval
      "SELECT day + INTERVAL '1 month' AS x FROM t",
      // an interval as a value
      "SELECT INTERVAL '1 day' AS x FROM t",
      "SELECT TRY_CAST(s AS integer) AS x FROM t",
      "SELECT i FROM t WHERE s ILIKE 'A%'",
      "SELECT i FROM t WHERE s SIMILAR TO '(a|b)%'",
      "SELECT i FROM t WHERE i BETWEEN SYMMETRIC 3 AND 1",
      "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
      // rows beside each other
      "SELECT i FROM t WHERE (i, d) = (1, 2)",
      // ANY of an array
      "SELECT i FROM t WHERE i = ANY (ARRAY[1, 2])",
      // an element of an array
      "SELECT (ARRAY[1, 2])[1] AS x FROM t",
      // a regular expression
      "SELECT i FROM t WHERE s ~ '^a+$'",
      "SELECT to_char(at, 'YYYY-MM') AS x FROM t",
      "SELECT date_trunc('month', at) AS x FROM t",
      "SELECT date_diff('day', day, at) AS x FROM t",
      "SELECT extract(isodow FROM day) AS x FROM t",
      // joined texts
      "SELECT s || '-' || i AS x FROM t",
      // texts in a list
      "SELECT string_agg(s, ',' ORDER BY i) AS x FROM t",
      "SELECT n FROM generate_series(1, 3) AS g(n)",
      "SELECT x FROM unnest(ARRAY[1, 2]) AS u(x)",
    ],
  }),
];
