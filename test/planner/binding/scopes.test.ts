/**
 * Which names mean what, read off the SQL for PostgreSQL (docs/spec/planner.md#names-and-scopes,
 * docs/decisions/0050-plans-write-out-shorthand.md#decision).
 */
import { expect, test } from "vitest";
import { plainSql } from "./plain.ts";

test.each([
  [
    "WITH customer AS (SELECT c_custkey FROM customer) SELECT c_custkey FROM customer",
    "WITH customer AS (SELECT customer.c_custkey FROM public.customer AS customer) SELECT customer.c_custkey FROM customer",
  ],
  [
    "WITH RECURSIVE customer AS (SELECT c_custkey FROM customer) SELECT c_custkey FROM customer",
    "WITH RECURSIVE customer AS (SELECT customer.c_custkey FROM public.customer AS customer) SELECT customer.c_custkey FROM customer",
  ],
  [
    "WITH t AS (SELECT 1 AS x), u AS (WITH t AS (SELECT 2 AS x) SELECT x FROM t) SELECT t.x, u.x FROM t, u",
    "WITH t AS (SELECT 1 AS x), u AS (WITH t_2 AS (SELECT 2 AS x) SELECT t.x FROM t_2 AS t) SELECT t.x, u.x AS x_2 FROM t, u",
  ],
  [
    'WITH "NATION" AS (SELECT 1 AS x) SELECT n_name FROM nation',
    'WITH "NATION" AS (SELECT 1 AS x) SELECT nation.n_name FROM public.nation AS nation',
  ],
  [
    'WITH "NATION" AS (SELECT 1 AS x) SELECT x FROM "NATION"',
    'WITH "NATION" AS (SELECT 1 AS x) SELECT "NATION".x FROM "NATION"',
  ],
  [
    "WITH NATION AS (SELECT 1 AS x) SELECT x FROM nation",
    'WITH "NATION" AS (SELECT 1 AS x) SELECT "NATION".x FROM "NATION"',
  ],
  ['WITH "T" AS (SELECT 1 AS x) SELECT x FROM t', 'WITH "T" AS (SELECT 1 AS x) SELECT "T".x FROM "T"'],
  [
    "WITH t AS (SELECT 1 AS x) SELECT x FROM public.nation, t",
    "WITH t AS (SELECT 1 AS x) SELECT t.x FROM public.nation AS nation, t",
  ],
  [
    "SELECT n.n_name FROM nation n WHERE EXISTS (SELECT 1 FROM region n WHERE n.r_regionkey = 1)",
    "SELECT n.n_name FROM public.nation AS n WHERE EXISTS (SELECT 1 AS column1 FROM public.region AS n_2 WHERE n_2.r_regionkey = 1)",
  ],
  [
    "SELECT o.n_name FROM nation o WHERE EXISTS (SELECT 1 FROM region r WHERE EXISTS (SELECT 1 FROM customer o2 WHERE o2.c_nationkey = o.n_nationkey AND r.r_regionkey = o.n_regionkey))",
    "SELECT o.n_name FROM public.nation AS o WHERE EXISTS (SELECT 1 AS column1 FROM public.region AS r WHERE EXISTS (SELECT 1 AS column1 FROM public.customer AS o2 WHERE o2.c_nationkey = o.n_nationkey AND r.r_regionkey = o.n_regionkey))",
  ],
  [
    "SELECT n_name FROM nation o WHERE EXISTS (SELECT 1 FROM region o WHERE o.r_regionkey = n_regionkey)",
    "SELECT o.n_name FROM public.nation AS o WHERE EXISTS (SELECT 1 AS column1 FROM public.region AS o_2 WHERE o_2.r_regionkey = o.n_regionkey)",
  ],
  ["SELECT Nation.N_NAME FROM NATION", "SELECT nation.n_name FROM public.nation AS nation"],
  ["SELECT tpch.public.nation.n_name FROM tpch.public.nation", "SELECT nation.n_name FROM public.nation AS nation"],
  [
    "SELECT c.b FROM nation AS c(a, b)",
    "SELECT c.b FROM (SELECT nation.n_nationkey, nation.n_name, nation.n_regionkey, nation.n_comment FROM public.nation AS nation) AS c(a, b, n_regionkey, n_comment)",
  ],
  [
    "SELECT d.y FROM (SELECT n_name, n_nationkey FROM nation) AS d(x, y)",
    "SELECT d.y FROM (SELECT nation.n_name, nation.n_nationkey FROM public.nation AS nation) AS d(x, y)",
  ],
  [
    "WITH d(x, y) AS (SELECT n_name, n_nationkey FROM nation) SELECT y FROM d",
    "WITH d(x, y) AS (SELECT nation.n_name, nation.n_nationkey FROM public.nation AS nation) SELECT d.y FROM d",
  ],
  [
    "SELECT g.n, i FROM generate_series(1, 3) WITH ORDINALITY AS g(n, i)",
    "SELECT g.n, g.i FROM generate_series(1, 3) WITH ORDINALITY AS g(n, i)",
  ],
  [
    'SELECT d.a, d."A" FROM (SELECT 1 AS a, 2 AS "A") AS d',
    'SELECT d.a, d."A_2" FROM (SELECT 1 AS a, 2 AS "A_2") AS d',
  ],
  [
    "SELECT max FROM (SELECT max(n_name) FROM nation) AS d",
    "SELECT d.max FROM (SELECT max(nation.n_name) AS max FROM public.nation AS nation) AS d",
  ],
  ["SELECT column2 FROM (VALUES (1, 2)) AS v", "SELECT v.column2 FROM (VALUES (1, 2)) AS v(column1, column2)"],
  [
    "SELECT b.* , a.n_name FROM nation a JOIN region b ON b.r_regionkey = a.n_regionkey",
    "SELECT b.r_regionkey, b.r_name, b.r_comment, a.n_name FROM public.nation AS a JOIN public.region AS b ON b.r_regionkey = a.n_regionkey",
  ],
  [
    "SELECT l.k FROM nation n, LATERAL (SELECT n.n_nationkey AS k) AS l",
    "SELECT l.k FROM public.nation AS n, LATERAL (SELECT n.n_nationkey AS k) AS l",
  ],
  [
    "SELECT n_regionkey AS n_name FROM nation ORDER BY n_name",
    "SELECT nation.n_regionkey AS n_name FROM public.nation AS nation ORDER BY nation.n_regionkey",
  ],
  [
    "SELECT n_regionkey AS n_name FROM nation GROUP BY n_regionkey HAVING n_regionkey > 1",
    "SELECT nation.n_regionkey AS n_name FROM public.nation AS nation GROUP BY nation.n_regionkey HAVING nation.n_regionkey > 1",
  ],
  [
    "SELECT upper(n_name) AS n_name FROM nation GROUP BY upper(n_name) ORDER BY n_name",
    "SELECT upper(nation.n_name) AS n_name FROM public.nation AS nation GROUP BY upper(nation.n_name) ORDER BY upper(nation.n_name)",
  ],
])("%s", (sql, expected) => {
  expect(plainSql(sql)).toBe(expected);
});

test("aliases that PostgreSQL would cut to one name are replaced", () => {
  const long = "x".repeat(70);
  const sql = plainSql(
    `SELECT 1 FROM nation ${long}1 WHERE EXISTS (SELECT 1 FROM nation ${long}2 WHERE ${long}2.n_nationkey = ${long}1.n_regionkey)`,
  );
  expect(sql).toBe(
    "SELECT 1 AS column1 FROM public.nation AS t WHERE EXISTS (SELECT 1 AS column1 FROM public.nation AS t_2 WHERE t_2.n_nationkey = t.n_regionkey)",
  );
});

test("several derived tables need no alias", () => {
  expect(plainSql("SELECT a, b FROM (SELECT 1 AS a), (SELECT 2 AS b)")).toBe(
    "SELECT derived.a, derived_2.b FROM (SELECT 1 AS a) AS derived, (SELECT 2 AS b) AS derived_2",
  );
});
