/** Running totals on targets whose frames count rows: planned where the manifest or a grouping tells the rows apart. */
import { describe, expect, test } from "vitest";
import { plan } from "../../../src/planner/index.ts";
import { manifestOf, requestOf } from "../../support/plan.ts";

const columns = [
  { name: "id", type: "INTEGER" },
  { name: "day", type: "DATE" },
  { name: "n", type: "INTEGER" },
];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    { name: "t", tableReference: { table: "t" }, columns, primaryKey: "id" },
    { name: "free", tableReference: { table: "free" }, columns },
  ],
});

const PLANNED = [
  "SELECT sum(n) OVER (ORDER BY day, id) AS x FROM t",
  "SELECT sum(n) OVER (PARTITION BY id ORDER BY day) AS x FROM t",
  "SELECT last_value(n) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS x FROM t",
  "SELECT sum(n) OVER w AS x FROM t WINDOW w AS (ORDER BY id)",
  "SELECT day, sum(k) OVER (ORDER BY day) AS x FROM (SELECT day, count(*) AS k FROM free GROUP BY day) AS d",
  "WITH d AS (SELECT DISTINCT day FROM free) SELECT count(*) OVER (ORDER BY day) AS x FROM d",
];

const REFUSED = [
  "SELECT sum(n) OVER (ORDER BY day) AS x FROM t",
  "SELECT sum(n) OVER (ORDER BY id) AS x FROM free",
  "SELECT sum(t.n) OVER (ORDER BY t.id) AS x FROM t JOIN free ON free.id = t.id",
  "SELECT sum(k) OVER (ORDER BY day) AS x FROM (SELECT day, n, count(*) AS k FROM free GROUP BY day, n) AS d",
];

describe.each(["redshift", "doris"] as const)("%s", (source) => {
  test.each(PLANNED)("%s", (sql) => {
    const planned = plan({ sql, ...requestOf(manifest, { source }) });
    expect(planned).toMatchObject({ ok: true });
    expect(planned.ok && planned.value.sql).toMatch(
      /ROWS BETWEEN (UNBOUNDED PRECEDING AND CURRENT ROW|CURRENT ROW AND UNBOUNDED FOLLOWING)/,
    );
  });

  test.each(REFUSED)("refused: %s", (sql) => {
    const planned = plan({ sql, ...requestOf(manifest, { source }) });
    expect(planned).toMatchObject({ error: { message: expect.stringContaining("rows that are equal in its order") } });
  });
});

test("a key that is grouped by its position tells the groups apart", () => {
  const sql =
    "SELECT date_trunc('month', day) AS m, sum(count(*)) OVER (ORDER BY date_trunc('month', day)) AS x FROM free GROUP BY 1";
  expect(plan({ sql, ...requestOf(manifest, { source: "redshift" }) })).toMatchObject({ ok: true });
});
