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
        { name: "s", type: "VARCHAR" },
      ],
    },
  ],
});

const outcome = (sql: string): string => {
  const made = plan({ sql, ...requestOf(manifest, { source: "doris" }) });
  return made.ok ? made.value.sql.replaceAll("`", "") : made.error.message;
};

describe("ordered-set aggregates become aggregates of numbered rows", () => {
  test.each<readonly [name: string, sql: string, sent: string]>([
    [
      "mode, with another aggregate and a condition",
      "SELECT k, mode() WITHIN GROUP (ORDER BY n) AS m, count(n) AS s FROM t WHERE n > 0 GROUP BY k",
      "SELECT _p1.k, max(CASE WHEN _p1.r = 1 THEN _p1.n END) AS m, count(_p1.n) AS s FROM (SELECT _v1.k, _v1.n, row_number() OVER (PARTITION BY _v1.k ORDER BY _v1.f DESC, _v1.n NULLS LAST) AS r FROM (SELECT t.k, t.n, count(t.n) OVER (PARTITION BY t.k, t.n) AS f FROM t AS t WHERE t.n > 0) AS _v1) AS _p1 GROUP BY _p1.k",
    ],
    [
      "percentile_disc",
      "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY n DESC) AS m FROM t",
      "SELECT max(CASE WHEN _p1.r = _p1.q THEN _p1.n END) AS m FROM (SELECT _v1.n, row_number() OVER (ORDER BY _v1.n DESC) AS r, CASE WHEN ceil(CAST(0.5 AS DOUBLE) * CAST(count(_v1.n) OVER () AS DOUBLE)) < 1 THEN CAST(1 AS DOUBLE) ELSE ceil(CAST(0.5 AS DOUBLE) * CAST(count(_v1.n) OVER () AS DOUBLE)) END AS q FROM (SELECT t.n FROM t AS t) AS _v1) AS _p1",
    ],
  ])("%s", (_name, sql, sent) => expect(outcome(sql)).toBe(sent));

  test("each set of ROLLUP numbers its own rows", () => {
    const sent = outcome("SELECT k, mode() WITHIN GROUP (ORDER BY n) AS m FROM t GROUP BY ROLLUP (k)");
    expect(sent.match(/row_number\(\) OVER \(.*?ORDER/g)).toEqual([
      "row_number() OVER (PARTITION BY _v1.k ORDER",
      "row_number() OVER (ORDER",
    ]);
  });

  test.each<readonly [sql: string]>([
    ["SELECT percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY n) AS m FROM t"],
    ["SELECT k, (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY u.n) FROM t AS u WHERE u.k = t.k) AS m FROM t"],
    ["SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY s) AS m FROM t"],
  ])("%s is refused", (sql) => expect(outcome(sql)).toMatch(/^not supported on Doris: (a percentile|arrays)/));
});
