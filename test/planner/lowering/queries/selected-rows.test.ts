import { describe, expect, test } from "vitest";
import { plan } from "../../../../src/planner/index.ts";
import { manifestOf, requestOf } from "../../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "k", type: "INTEGER" },
        { name: "n", type: "INTEGER" },
        { name: "a", type: "ARRAY(INTEGER)" },
      ],
    },
  ],
});

const outcome = (sql: string): string => {
  const made = plan({ sql, ...requestOf(manifest, { source: "trino" }) });
  return made.ok ? made.value.sql.replaceAll('"', "") : made.error.message;
};

/** The function's place in FROM decides which rows windows, groups, DISTINCT and LIMIT see. */
describe("a set-returning function of the select list moves into FROM", () => {
  test.each<readonly [name: string, sql: string, sent: string]>([
    [
      "without FROM",
      "SELECT generate_series(1, 3) AS g",
      "SELECT _u1.x AS g FROM UNNEST(CASE WHEN 1 <= 3 THEN sequence(1, 3, 1) END) AS _u1(x)",
    ],
    [
      "beside columns",
      "SELECT k, unnest(a) AS e FROM t WHERE k > 1",
      "SELECT t.k, _u1.x AS e FROM t AS t, UNNEST(t.a) AS _u1(x) WHERE t.k > 1",
    ],
    [
      "twice the same",
      "SELECT unnest(a) AS e, unnest(a) + 1 AS f FROM t",
      "SELECT _u1.x AS e, _u1.x + 1 AS f FROM t AS t, UNNEST(t.a) AS _u1(x)",
    ],
    [
      "before DISTINCT",
      "SELECT DISTINCT unnest(a) AS e FROM t ORDER BY e",
      "SELECT DISTINCT _u1.x AS e FROM t AS t, UNNEST(t.a) AS _u1(x) ORDER BY _u1.x",
    ],
    [
      "after groups",
      "SELECT k, generate_series(1, count(*)) AS g FROM t GROUP BY k HAVING count(*) > 1 ORDER BY max(n), g",
      "SELECT _g1.k, _u1.x AS g FROM (SELECT t.k, max(t.n) AS v, count(*) AS v_2 FROM t AS t GROUP BY t.k HAVING count(*) > 1) AS _g1, UNNEST(CASE WHEN 1 <= _g1.v_2 THEN sequence(1, _g1.v_2, 1) END) AS _u1(x) ORDER BY _g1.v, _u1.x",
    ],
    [
      "after windows",
      "SELECT unnest(a) AS e, count(*) OVER () AS c FROM t",
      "SELECT _u1.x AS e, _g1.v AS c FROM (SELECT count(*) OVER () AS v, t.a FROM t AS t) AS _g1, UNNEST(_g1.a) AS _u1(x)",
    ],
    [
      "before LIMIT, whose rows are those of the first row",
      "SELECT k, unnest(a) AS e FROM t ORDER BY k LIMIT 2",
      "SELECT t.k, _u1.x AS e FROM t AS t, UNNEST(t.a) WITH ORDINALITY AS _u1(x, n) ORDER BY t.k, _u1.n LIMIT 2",
    ],
    [
      "before LIMIT, a series by its values",
      "SELECT k, generate_series(n, 1, -1) AS g FROM t ORDER BY k LIMIT 2",
      "SELECT t.k, _u1.x AS g FROM t AS t, UNNEST(CASE WHEN t.n >= 1 THEN sequence(t.n, 1, -1) END) AS _u1(x) ORDER BY t.k, _u1.x DESC LIMIT 2",
    ],
    [
      "in a branch of a set operation",
      "SELECT unnest(a) AS e FROM t UNION SELECT k FROM t",
      "SELECT _u1.x AS e FROM t AS t, UNNEST(t.a) AS _u1(x) UNION SELECT t.k FROM t AS t",
    ],
  ])("%s", (_name, sql, sent) => expect(outcome(sql)).toBe(sent));

  test.each<readonly [sql: string, message: string]>([
    ["SELECT unnest(a) AS e, generate_series(1, k) AS g FROM t", "a function that makes rows as a value"],
    ["SELECT DISTINCT ON (k) k, unnest(a) AS e FROM t ORDER BY k", "SELECT DISTINCT ON"],
    ["SELECT generate_series(1, unnest(a)) AS g FROM t", "a function that makes rows as a value"],
  ])("%s is refused", (sql, message) => expect(outcome(sql)).toContain(message));
});
