/** Running totals on targets whose frames count rows: directly where the manifest or a grouping tells the rows apart. */
import { describe, expect, test } from "vitest";
import { plan } from "../../../../src/planner/index.ts";
import { manifestOf, requestOf } from "../../../support/plan.ts";

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

/** Rows may be equal in the order, so that a derived table numbers them. */
const NUMBERED = [
  "SELECT sum(n) OVER (ORDER BY day) AS x FROM t",
  "SELECT sum(n) OVER (ORDER BY id) AS x FROM free",
  "SELECT count(*) FILTER (WHERE n > 1) OVER (PARTITION BY n ORDER BY day RANGE UNBOUNDED PRECEDING) AS x FROM free",
  "SELECT min(n) OVER w AS x FROM free WINDOW w AS (ORDER BY day)",
  "SELECT sum(t.n) OVER (ORDER BY t.id) AS x FROM t JOIN free ON free.id = t.id",
  "SELECT sum(k) OVER (ORDER BY day) AS x FROM (SELECT day, n, count(*) AS k FROM free GROUP BY day, n) AS d",
];

const REFUSED = [
  // The value of the last of several equal rows is that of any of them.
  "SELECT last_value(n) OVER (ORDER BY day) AS x FROM free",
  // An average does not follow from the averages of parts.
  "SELECT avg(n) OVER (ORDER BY day) AS x FROM free",
  "SELECT sum(n) OVER (ORDER BY day RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS x FROM free",
  "SELECT id FROM t WHERE id > (SELECT max(x) FROM (SELECT sum(n + t.n) OVER (ORDER BY day) AS x FROM free) AS d)",
];

describe.each(["redshift", "doris"] as const)("%s", (source) => {
  test.each(PLANNED)("%s", (sql) => {
    const planned = plan({ sql, ...requestOf(manifest, { source }) });
    expect(planned).toMatchObject({ ok: true });
    expect(planned.ok && planned.value.sql).toMatch(
      /ROWS BETWEEN (UNBOUNDED PRECEDING AND CURRENT ROW|CURRENT ROW AND UNBOUNDED FOLLOWING)/,
    );
  });

  test.each(NUMBERED)("%s", (sql) => {
    const planned = plan({ sql, ...requestOf(manifest, { source }) });
    expect(planned.ok && planned.value.sql).toMatch(
      /row_number\(\) OVER .* ROWS BETWEEN|ROWS BETWEEN .* row_number\(\) OVER/,
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
