import { describe, expect, test } from "vitest";
import { plan } from "../../../../src/planner/index.ts";
import { manifestOfTable, requestOf } from "../../../support/plan.ts";

const manifest = manifestOfTable({ i: "INTEGER", k: "INTEGER", v: "INTEGER" });

function outcome(sql: string): string {
  const made = plan({ sql, ...requestOf(manifest, { source: "snowflake" }) });
  return made.ok ? made.value.sql.replaceAll('"', "") : made.error.message;
}

/** Their rows are judged in `test/parity/lateral-queries.ts`. */
describe("subqueries of each row become joins where the source lacks their form", () => {
  test.each<readonly [name: string, sql: string, sent: string]>([
    [
      "one that the source has stays",
      "SELECT a.i, (SELECT max(b.v) FROM t AS b WHERE b.k = a.i) AS m FROM t AS a",
      "SELECT a.I AS i, (SELECT max(b.V) AS max FROM T AS b WHERE b.K = a.I) AS m FROM T AS a",
    ],
    [
      "an aggregate",
      "SELECT a.i, (SELECT max(b.v) FROM t AS b WHERE b.k < a.i) AS m FROM t AS a WHERE a.v > 1",
      "SELECT _l1.I AS i, _l1.v AS m FROM (SELECT _o1.I, max(_x1.V) AS v FROM (SELECT a.I, row_number() OVER (ORDER BY NULL) AS k FROM T AS a WHERE a.V > 1) AS _o1 LEFT JOIN (SELECT b.V, b.K FROM T AS b) AS _x1 ON _x1.K < _o1.I GROUP BY _o1.k, _o1.I) AS _l1",
    ],
    [
      "the first row",
      "SELECT a.i, (SELECT b.v FROM t AS b WHERE b.k = a.i ORDER BY b.v LIMIT 1) AS m FROM t AS a",
      "SELECT a.I AS i, _v1.v AS m FROM T AS a LEFT JOIN (SELECT b.V AS v, b.K AS _k1 FROM T AS b QUALIFY row_number() OVER (PARTITION BY b.K ORDER BY b.V NULLS LAST) <= 1) AS _v1 ON _v1._k1 = a.I",
    ],
    [
      "EXISTS",
      "SELECT a.i FROM t AS a WHERE NOT EXISTS (SELECT 1 FROM t AS b WHERE b.k = a.i OR b.v = a.i)",
      "SELECT _l1.I AS i FROM (SELECT _o1.I, count(_x1.m) AS v FROM (SELECT a.I, row_number() OVER (ORDER BY NULL) AS k FROM T AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, b.K, b.V FROM T AS b) AS _x1 ON _x1.K = _o1.I OR _x1.V = _o1.I GROUP BY _o1.k, _o1.I) AS _l1 WHERE NOT (_l1.v > 0)",
    ],
    [
      "a key of groups",
      "SELECT EXISTS (SELECT 1 FROM t AS b WHERE b.k = a.i) AS e, count(*) AS c FROM t AS a GROUP BY 1",
      "SELECT _l1.v > 0 AS e, count(*) AS c FROM (SELECT count(_x1.m) AS v FROM (SELECT a.I, row_number() OVER (ORDER BY NULL) AS k FROM T AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, b.K FROM T AS b) AS _x1 ON _x1.K = _o1.I GROUP BY _o1.k) AS _l1 GROUP BY _l1.v > 0",
    ],
    [
      "within an aggregate",
      "SELECT sum((SELECT max(b.v) FROM t AS b WHERE b.k > a.i)) AS s FROM t AS a",
      "SELECT sum(_l1.v) AS s FROM (SELECT max(_x1.V) AS v FROM (SELECT a.I, row_number() OVER (ORDER BY NULL) AS k FROM T AS a) AS _o1 LEFT JOIN (SELECT b.V, b.K FROM T AS b) AS _x1 ON _x1.K > _o1.I GROUP BY _o1.k) AS _l1",
    ],
  ])("%s", (_name, sql, sent) => expect(outcome(sql)).toBe(sent));
});

describe("those that become no joins are refused for what the source says of them", () => {
  test.each<readonly [sql: string, what: string]>([
    [
      "SELECT a.i, (SELECT b.v FROM t AS b WHERE b.k = a.i AND b.v > a.v) AS m FROM t AS a",
      "a condition but the comparison of two columns in a subquery that names columns of the query around it",
    ],
    [
      "SELECT a.i, EXISTS (SELECT 1 FROM t AS b WHERE b.k + 1 > a.i + b.v ORDER BY count(*)) AS e FROM t AS a",
      "EXISTS or IN of the rows around it as a value",
    ],
    [
      "SELECT a.i, (SELECT max(b.v) FROM t AS b WHERE b.k < a.i AND EXISTS (SELECT 1 FROM t AS c WHERE c.i = a.v)) AS m FROM t AS a",
      "a column of a query that is two further out",
    ],
    [
      "SELECT a.i, (SELECT max(b.v) FROM t AS b WHERE b.k < max(a.v)) AS m FROM t AS a GROUP BY a.i",
      "an aggregate of the query around a subquery",
    ],
    [
      "SELECT a.i, (SELECT max(b.v + random()) FROM t AS b WHERE b.k < a.i) AS m FROM t AS a",
      "a condition but the comparison of two columns in a subquery that names columns of the query around it",
    ],
  ])("%s", (sql, what) => expect(outcome(sql)).toBe(`not supported on Snowflake: ${what}`));
});
