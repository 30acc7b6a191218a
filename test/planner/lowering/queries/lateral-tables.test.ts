import { describe, expect, test } from "vitest";
import { plan } from "../../../../src/planner/index.ts";
import { manifestOfTable, requestOf } from "../../../support/plan.ts";

const manifest = manifestOfTable({ i: "INTEGER", k: "INTEGER", v: "INTEGER", s: "VARCHAR", d: "DOUBLE" });

function outcome(sql: string): string {
  const made = plan({ sql, ...requestOf(manifest, { source: "redshift" }) });
  return made.ok ? made.value.sql.replaceAll('"', "") : made.error.message;
}

/** Their rows are judged in `test/parity/lateral-queries.ts`. */
describe("LATERAL becomes joins", () => {
  test.each<readonly [name: string, sql: string, sent: string]>([
    [
      "values of the row before it, and a condition on these rows alone",
      "SELECT t.i, q.n FROM t CROSS JOIN LATERAL (SELECT t.i + 1 AS n) AS q WHERE t.k > 1 AND q.n > 2",
      "SELECT _l1.i, _l1.n FROM (SELECT t.i, t.i + 1 AS n FROM t AS t WHERE t.k > 1) AS _l1 WHERE _l1.n > 2",
    ],
    [
      "rows of values",
      "SELECT a.i, n.x FROM t AS a, LATERAL (VALUES (a.k), (a.v)) AS n(x) WHERE a.s = 'x'",
      "SELECT _l1.i, _l1.x FROM (SELECT a.i, CASE WHEN _n1.n = 1 THEN a.k ELSE a.v END AS x FROM t AS a CROSS JOIN (SELECT 1 AS column1 UNION ALL SELECT 2) AS _n1(n) WHERE a.s = 'x' AND COLLATE(a.s || '.', 'case_sensitive') = 'x.') AS _l1",
    ],
    [
      "one row of all, for an aggregate in ORDER BY alone",
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT a.v AS v FROM t AS b ORDER BY count(*)) AS n",
      "SELECT _l1.i, _l1.v FROM (SELECT _o1.i, _o1.v FROM (SELECT a.i, a.v, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS n FROM t AS b) AS _x1 ON TRUE GROUP BY _o1.k, _o1.i, _o1.v) AS _l1",
    ],
    [
      "rows that meet conditions, and the condition of its own join",
      "SELECT a.i, n.v FROM t AS a JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k = a.i AND b.v > 1 AND b.v < a.v) AS n ON n.v > 3",
      "SELECT a.i, n.v FROM t AS a JOIN (SELECT b.v, b.k AS _k1, b.v AS _k2 FROM t AS b WHERE b.v > 1) AS n ON n._k1 = a.i AND n._k2 < a.v AND n.v > 3",
    ],
    [
      "the first rows of equal values",
      "SELECT a.i, n.v FROM t AS a LEFT JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k = a.i ORDER BY b.v DESC LIMIT 2) AS n ON n.v > 3",
      "SELECT a.i, n.v FROM t AS a LEFT JOIN (SELECT _q.v, _q._k1 FROM (SELECT b.v AS v, b.k AS _k1, row_number() OVER (PARTITION BY b.k ORDER BY b.v DESC NULLS LAST) <= 2 AS _w1 FROM t AS b) AS _q WHERE _q._w1) AS n ON n._k1 = a.i AND n.v > 3",
    ],
    [
      "the first rows where different values may be equal to one",
      "SELECT a.i, n.v FROM t AS a LEFT JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.d = a.i ORDER BY b.v DESC LIMIT 2) AS n ON TRUE",
      "SELECT _l1.i, _l1.v FROM (SELECT _q.i, _q.v FROM (SELECT _o1.i AS i, _x1.v AS v, row_number() OVER (PARTITION BY _o1.k ORDER BY _x1.v DESC NULLS LAST) <= 2 AS _w1 FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT b.v, b.d FROM t AS b) AS _x1 ON _x1.d = _o1.i) AS _q WHERE _q._w1) AS _l1",
    ],
    [
      "the first rows by another condition",
      "SELECT a.i, n.v FROM t AS a, LATERAL (SELECT b.v FROM t AS b WHERE b.k < a.i ORDER BY 1 LIMIT 2) AS n WHERE a.v = 2 ORDER BY a.i",
      "SELECT _l1.i, _l1.v FROM (SELECT _q.i, _q.v FROM (SELECT _o1.i AS i, _x1.v AS v, row_number() OVER (PARTITION BY _o1.k ORDER BY _x1.v) <= 2 AS _w1 FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a WHERE a.v = 2) AS _o1 JOIN (SELECT b.v, b.k FROM t AS b) AS _x1 ON _x1.k < _o1.i) AS _q WHERE _q._w1) AS _l1 ORDER BY _l1.i",
    ],
    [
      "aggregates, of which count is 0 without rows",
      "SELECT a.i, n.c, n.m FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS c, max(b.v) + a.v AS m FROM t AS b WHERE b.k = a.i) AS n",
      "SELECT _l1.i, _l1.c, _l1.m FROM (SELECT _o1.i, count(_x1.m) AS c, max(_x1.v) + _o1.v AS m FROM (SELECT a.i, a.v, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, b.v, b.k FROM t AS b) AS _x1 ON _x1.k = _o1.i GROUP BY _o1.k, _o1.i, _o1.v) AS _l1",
    ],
    [
      "an aggregate of what is not NULL without rows",
      "SELECT a.i, n.c FROM t AS a CROSS JOIN LATERAL (SELECT sum(coalesce(b.v, 1)) AS c FROM t AS b WHERE b.k = a.i) AS n",
      "SELECT _l1.i, _l1.c FROM (SELECT _o1.i, sum(CASE WHEN _x1.m IS NOT NULL THEN coalesce(_x1.v, 1) END) AS c FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT b.v, 1 AS m, b.k FROM t AS b) AS _x1 ON _x1.k = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
    ],
    [
      "groups",
      "SELECT a.i, n.v, n.c FROM t AS a CROSS JOIN LATERAL (SELECT b.v, count(*) AS c FROM t AS b WHERE b.k = a.i GROUP BY b.v) AS n",
      "SELECT a.i, n.v, n.c FROM t AS a JOIN (SELECT b.v, count(*) AS c, b.k AS _k1 FROM t AS b GROUP BY b.v, b.k) AS n ON n._k1 = a.i",
    ],
    [
      "what is NULL without rows",
      "SELECT a.i, n.v FROM t AS a LEFT JOIN LATERAL (SELECT coalesce(b.v, a.v) AS v FROM t AS b WHERE b.k = a.i) AS n ON TRUE",
      "SELECT _l1.i, _l1.v FROM (SELECT a.i, CASE WHEN _x1.m IS NOT NULL THEN coalesce(_x1.v, a.v) END AS v FROM t AS a LEFT JOIN (SELECT b.v, 1 AS m, b.k FROM t AS b) AS _x1 ON _x1.k = a.i) AS _l1",
    ],
    [
      "what names no table before it",
      "SELECT a.i, n.c FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS c FROM t AS b) AS n",
      "SELECT a.i, n.c FROM t AS a CROSS JOIN (SELECT count(*) AS c FROM t AS b) AS n",
    ],
    [
      "the first of different rows",
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT DISTINCT b.v FROM t AS b WHERE b.k = a.i ORDER BY b.v LIMIT 1) AS n",
      "SELECT a.i, n.v FROM t AS a JOIN (SELECT _q.v, _q._k1 FROM (SELECT b.v AS v, b.k AS _k1, row_number() OVER (PARTITION BY b.k ORDER BY b.v) <= 1 AS _w1 FROM t AS b GROUP BY b.v, b.k) AS _q WHERE _q._w1) AS n ON n._k1 = a.i",
    ],
  ])("%s", (_name, sql, sent) => expect(outcome(sql)).toBe(sent));
});

describe("LATERAL that becomes no join is refused", () => {
  test.each<readonly [sql: string, what: string]>([
    [
      "SELECT a.i, n.s FROM t AS a CROSS JOIN LATERAL (SELECT s FROM (SELECT b.s FROM t AS b WHERE b.k = a.i) AS c) AS n",
      "LATERAL with a table or a join that names the tables before it",
    ],
    [
      "SELECT a.i, n.s FROM t AS a CROSS JOIN LATERAL (SELECT a.s UNION SELECT b.s FROM t AS b) AS n",
      "LATERAL with a set operation",
    ],
    [
      "SELECT a.i, n.r FROM t AS a CROSS JOIN LATERAL (SELECT row_number() OVER (ORDER BY b.v) AS r FROM t AS b WHERE b.k = a.i) AS n",
      "LATERAL with a window function",
    ],
    [
      "SELECT a.i, n.r FROM t AS a CROSS JOIN LATERAL (SELECT b.v + random() AS r FROM t AS b WHERE b.k = a.i) AS n",
      "LATERAL with a random value",
    ],
    [
      "SELECT a.i, n.v FROM t AS a LEFT JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k < a.i ORDER BY b.v LIMIT 1) AS n ON n.v > 3",
      "LATERAL with a condition of a left join",
    ],
    [
      "SELECT a.i, n.v FROM t AS a LEFT JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k < a.i ORDER BY b.v LIMIT 1 OFFSET 1) AS n ON TRUE",
      "LATERAL with OFFSET in a left join",
    ],
    [
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT DISTINCT b.v FROM t AS b WHERE b.k < a.i) AS n",
      "LATERAL with DISTINCT and a condition but equalities of columns",
    ],
    [
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT b.v, count(*) AS c FROM t AS b WHERE b.k < a.i GROUP BY b.v) AS n",
      "LATERAL with GROUP BY and a condition but equalities of columns",
    ],
    [
      "SELECT a.i, n.c FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS c FROM t AS b WHERE b.k = a.i HAVING count(*) > 1) AS n",
      "LATERAL with HAVING without GROUP BY",
    ],
    [
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k = a.i LIMIT 1 + 1) AS n",
      "LATERAL with a computed LIMIT or OFFSET",
    ],
    [
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k = a.i AND EXISTS (SELECT 1 FROM t AS c WHERE c.i = a.v)) AS n",
      "LATERAL with a subquery in a condition on the tables before it",
    ],
    [
      "SELECT a.i FROM t AS a WHERE EXISTS (SELECT 1 FROM t AS b, LATERAL (SELECT c.v FROM t AS c WHERE c.k = b.k AND c.v = a.v) AS n)",
      "LATERAL with a column of a query around its own, or of a table in other parentheses",
    ],
    [
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k = a.i) AS n FULL JOIN t AS c ON c.i = a.i",
      "LATERAL with a full join beside it",
    ],
    [
      "SELECT a.i, n.v FROM t AS c JOIN (t AS a CROSS JOIN LATERAL (SELECT b.v FROM t AS b WHERE b.k = c.i) AS n) ON c.i = a.i",
      "LATERAL with a column of a query around its own, or of a table in other parentheses",
    ],
    [
      "SELECT a.i, n.v FROM t AS a CROSS JOIN LATERAL (SELECT DISTINCT ON (b.v) b.v FROM t AS b WHERE b.k = a.i ORDER BY b.v LIMIT 1) AS n",
      "LATERAL with DISTINCT ON and LIMIT or GROUP BY",
    ],
  ])("%s", (sql, what) => expect(outcome(sql)).toBe(`not supported on Redshift: ${what}`));
});
