/** Statements for MySQL and MariaDB; `test/engines/mysql-parity.test.ts` verifies the answers. */
import { manifestOf, manifestOfTable } from "../../support/plan.ts";
import { conditions, over } from "./group.ts";

export const MYSQL_TABLE = manifestOfTable({
  i: "INT",
  d: "DECIMAL(10,2)",
  f: "DOUBLE",
  s: "VARCHAR",
  u: "VARCHAR",
  b: "BOOLEAN",
  day: "DATE",
  at: "DATETIME",
  seen: "TIMESTAMP",
  j: "JSON",
});

/** A JSON document, and an array, which is one on MySQL. */
export const MYSQL_DOCUMENTS = manifestOfTable({ a: "INTEGER", b: "INTEGER", j: "JSON", l: "INTEGER[]" });

/** `tinyint(1)` and `bit(1)`, MySQL's booleans, are integers that become conditions where one is needed. */
export const MYSQL_FLAGS = manifestOfTable({
  f: "tinyint(1)",
  b: "bit(1)",
  u: "tinyint(1) unsigned",
  n: "tinyint",
  i: "integer",
});

export const MYSQL_INTEGERS = manifestOfTable({ id: "INTEGER", n: "INTEGER" });

const CUBE = {
  name: "c",
  baseObject: "t",
  dimensions: [{ name: "v", expression: "a", type: "INTEGER" }],
  measures: [
    { name: "n", expression: "count(*)", type: "BIGINT" },
    { name: "s", expression: "sum(b)", type: "BIGINT" },
  ],
};

const WITH_CUBE = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    { name: "t", tableReference: { table: "t" }, columns: ["a", "b"].map((name) => ({ name, type: "INTEGER" })) },
  ],
  cubes: [CUBE],
});

export const MYSQL = [
  ...over(MYSQL_TABLE, {
    statements: [
      // Ordering comparisons use the column's collation, as `s < 'x'` does.
      "SELECT i FROM t WHERE s < ANY (ARRAY['a', 'b'])",
      "SELECT i FROM t WHERE s > ALL (SELECT u FROM t)",
      "SELECT i / 2 AS q, d / 2 AS r FROM t",
      "SELECT s FROM t WHERE s = 'x'",
      "SELECT i FROM t WHERE s <> 'x' AND s IN ('a', 'b')",
      "SELECT i FROM t WHERE s LIKE 'a\\_%' AND s NOT LIKE '%x'",
      "SELECT i FROM t WHERE s ILIKE 'A%'",
      "SELECT i FROM t WHERE s IS DISTINCT FROM u",
      "SELECT s, count(*) AS n FROM t GROUP BY s",
      // Columns of a set operation need one collation, which a computed text decides.
      "SELECT s FROM t UNION ALL SELECT lower(u) FROM t",
      "SELECT s FROM t UNION ALL SELECT 'x' UNION ALL SELECT u FROM t",
      "SELECT CAST(NULL AS boolean) AS a",
      "SELECT DISTINCT s FROM t",
      "SELECT i FROM t ORDER BY i",
      "SELECT i FROM t ORDER BY i DESC NULLS FIRST",
      "SELECT count(DISTINCT s) AS n FROM t",
      "SELECT s || '-' || i AS x FROM t",
      "SELECT concat(s, i) AS x FROM t",
      "SELECT CAST(s AS integer) AS x FROM t",
      "SELECT CAST(d AS integer) AS x FROM t",
      "SELECT CAST(s AS date) AS x FROM t",
      "SELECT CAST(b AS text) AS x, CAST(at AS text) AS y FROM t",
      "SELECT TRY_CAST(s AS double precision) AS x FROM t",
      "SELECT sqrt(f) AS x FROM t",
      "SELECT date_trunc('month', day) AS x, date_trunc('week', at) AS y FROM t",
      "SELECT day + 1 AS a, day - DATE '2024-01-01' AS b, at + INTERVAL '1 month 2 days' AS c FROM t",
      "SELECT extract(dow FROM day) AS a, extract(epoch FROM at) AS b, extract(week FROM day) AS c FROM t",
      "SELECT j ->> 'a' AS x FROM t",
      "SELECT i FROM t WHERE s ~ '^a.*\\d$'",
      "SELECT regexp_replace(s, '(\\d+)', '<\\1>') AS x FROM t",
      // The longer alternative comes first, because PostgreSQL prefers it.
      "SELECT regexp_substr(s, 'a|ab') AS x FROM t",
      "SELECT string_agg(s, ', ' ORDER BY s) AS x FROM t",
      "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
      "SELECT max(i) OVER () AS x, rank() OVER (ORDER BY i) AS y FROM t",
      "SELECT i FROM t LIMIT 3 OFFSET 1",
      "SELECT i FROM t OFFSET 1",
      "SELECT substring(s FROM 0 FOR 3) AS x, left(s, -1) AS y FROM t",
      "SELECT greatest(i, 3) AS x FROM t",
      "SELECT x FROM generate_series(1, 3) AS g(x)",
      "SELECT x FROM unnest(ARRAY['a', 'b']) AS g(x)",
      "SELECT now() AS a, current_date AS b",
      "SELECT 1e3 AS a, 0x1F AS b, TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+02' AS c",
    ],
  }),
  // Queries that MySQL or MariaDB answers wrongly in their first form.
  ...over(MYSQL_DOCUMENTS, {
    queries: [
      "VALUES (1), (2)",
      // A join below VALUES loses its condition on MySQL 9.7.
      "VALUES (1), ((SELECT max(a) FROM t)), (3)",
      "WITH c AS MATERIALIZED (SELECT a FROM t) SELECT a FROM c",
      // MariaDB does not find the table when it prepares this.
      "SELECT a FROM t WHERE (SELECT b + 1) > 0",
      "SELECT (SELECT 1) AS v FROM t",
      "SELECT (SELECT b WHERE a > 0) AS v FROM t",
      "SELECT (SELECT b LIMIT 0) AS v FROM t",
    ],
    "elements that differ for each row, or are constants": [
      "SELECT u.v FROM t, unnest(ARRAY[t.a, t.b]) AS u(v)",
      "SELECT u.v FROM t, unnest(ARRAY[1, 2]) AS u(v)",
    ],
  }),
  // Only aggregates of a query around a subquery are refused, because of MariaDB.
  ...over(WITH_CUBE, {
    "measures of a cube are aggregates of the cube's own query": [
      "SELECT v, n FROM c",
      "SELECT v, s FROM c",
      "SELECT (SELECT s FROM c WHERE v = u.a) AS s FROM t AS u",
    ],
  }),
  ...over(manifestOfTable({ y: "BOOLEAN", b: "TINYINT", w: "INT64", l: "BIT(64)", i: "INTEGER", f: "DOUBLE" }), {
    "a column that may be BIT stays a column, which an index may be used for": [
      "SELECT b, w FROM t WHERE b = 5",
      "SELECT i FROM t WHERE b <> 1 AND 7 > w",
      "SELECT i FROM t WHERE b IN (1, 2) OR l BETWEEN 3 AND 9",
      "SELECT i FROM t WHERE b IS NULL",
      "SELECT y FROM t WHERE y AND NOT y OR y = TRUE",
      "SELECT CASE WHEN y THEN 1 END AS x FROM t",
      "SELECT x.i FROM t AS x JOIN t AS y ON x.b = y.i",
      "SELECT DISTINCT b FROM t ORDER BY b DESC NULLS LAST",
      "SELECT b, count(*) AS n FROM t GROUP BY b",
    ],
    "a column that may be BIT is read as a number": [
      "SELECT max(b) AS x FROM t",
      "SELECT coalesce(y, FALSE) AS x FROM t",
      "SELECT bool_and(y) AS x FROM t",
      "SELECT CAST(w AS text) AS x FROM t",
      "SELECT CASE WHEN b = 1 THEN l END AS x FROM t",
      "SELECT i FROM t WHERE b > -1",
      "SELECT i FROM t WHERE b = f",
      "SELECT i FROM t WHERE b > i",
      "SELECT i FROM t WHERE b IN (1, i)",
      "SELECT b FROM t UNION ALL SELECT i FROM t",
      "SELECT (SELECT b FROM t LIMIT 1) AS x",
    ],
  }),
  ...over(MYSQL_FLAGS, {
    "tinyint(1) and bit(1) as conditions": [
      "SELECT i FROM t WHERE f",
      "SELECT i FROM t WHERE NOT b AND u",
      "SELECT i FROM t WHERE f = true",
      "SELECT i FROM t WHERE b IS NOT TRUE",
      "SELECT i FROM t WHERE f IN (true, false)",
      "SELECT i FROM t WHERE f <> (i = 1)",
      "SELECT CASE WHEN f THEN 1 END AS x FROM t",
      "SELECT count(*) FILTER (WHERE f) AS x FROM t",
      "SELECT q.g FROM (SELECT f AS g FROM t) AS q WHERE q.g",
    ],
    "tinyint(1) and bit(1) as numbers": [
      "SELECT f FROM t WHERE f = 1",
      "SELECT sum(f) AS x FROM t",
      "SELECT i FROM t WHERE b = 0",
    ],
  }),
  // MySQL and MariaDB refuse LIMIT in a subquery of IN, ANY and ALL.
  ...over(MYSQL_INTEGERS, {
    "a limited subquery that needs a derived table": conditions([
      "id IN (SELECT n FROM t ORDER BY n LIMIT 2)",
      "id NOT IN (SELECT n FROM t LIMIT 2 OFFSET 1)",
      "id > ALL (SELECT n FROM t ORDER BY n LIMIT 2)",
      "(id, n) IN (SELECT id, n FROM t LIMIT 2)",
      "id IN ((SELECT n FROM t) UNION (SELECT id FROM t) LIMIT 2)",
    ]),
    "a limited subquery that needs none": conditions([
      "id IN (SELECT n FROM t)",
      "EXISTS (SELECT n FROM t LIMIT 1)",
      "id = (SELECT n FROM t LIMIT 1)",
    ]),
  }),
];
