/** Differences of timestamps on targets without intervals: which of them are planned as numbers, and which stay refused. */
import { describe, expect, test } from "vitest";
import type { PlannedSource } from "../../../../src/planner/dialects/targets.ts";
import { plan } from "../../../../src/planner/index.ts";
import { manifestOfTable, requestOf } from "../../../support/plan.ts";

const SOURCES = [
  "trino",
  "spark",
  "bigquery",
  "snowflake",
  "mysql",
  "mssql",
  "oracle",
  "redshift",
  "doris",
] as const satisfies readonly PlannedSource[];

const manifest = manifestOfTable({ a: "TIMESTAMP", b: "TIMESTAMP", k: "INTEGER" });

const PLANNED = [
  "SELECT b - a AS took FROM t",
  "SELECT k, max(b - a) AS longest FROM t GROUP BY k",
  "SELECT took FROM (SELECT b - a AS took FROM t) AS x WHERE took > INTERVAL '1 month' ORDER BY took DESC",
  "SELECT k FROM t WHERE b - a BETWEEN INTERVAL '1 hour' AND INTERVAL '2 days'",
  "SELECT b - lag(b) OVER (ORDER BY a) AS pause FROM t",
  "SELECT CASE WHEN k > 1 THEN b - a END AS took FROM t",
  "SELECT coalesce(b - a, INTERVAL '0 seconds') AS took FROM t",
  "SELECT count(b - a) AS n FROM t WHERE b - a IS NOT NULL",
  "SELECT extract(hour FROM b - a) AS h, extract(minute FROM max(b - a) OVER ()) AS m FROM t",
  "SELECT extract(epoch FROM avg(b - a)) AS mean FROM t HAVING sum(b - a) > INTERVAL '1 day'",
  "SELECT extract(epoch FROM mean) AS s FROM (SELECT k, avg(b - a) AS mean FROM t GROUP BY k) AS x WHERE mean > INTERVAL '1 hour'",
  "WITH d AS (SELECT k, sum(b - a) AS total FROM t GROUP BY k) SELECT t.k, extract(epoch FROM d.total) / 3600 AS hours FROM t LEFT JOIN d ON d.k = t.k ORDER BY d.total",
  "SELECT k, extract(epoch FROM (SELECT avg(b - a) FROM t)) AS s FROM t",
  "SELECT count(mean) AS n FROM (SELECT mean FROM (SELECT k, avg(b - a) AS mean FROM t GROUP BY k) AS x) AS y WHERE mean IS NOT NULL",
];

/** A sum is shown by its own days and time, and a literal of 36 hours has no days. */
const REFUSED = [
  "SELECT sum(b - a) AS total FROM t",
  "SELECT avg(b - a) AS mean FROM t",
  "SELECT coalesce(b - a, INTERVAL '36 hours') AS took FROM t",
  "SELECT CAST(b - a AS text) AS took FROM t",
  "SELECT (b - a) * 2 AS twice FROM t",
  "SELECT (b - a) + (b - a) AS twice FROM t",
  "SELECT a + (b - a) AS sum FROM t",
  "SELECT INTERVAL '1 day' AS day FROM t",
  "SELECT sum(took) AS total FROM (SELECT b - a AS took FROM t) AS x",
  "SELECT extract(month FROM max(b - a)) AS m FROM t",
  "SELECT mean FROM (SELECT avg(b - a) AS mean FROM t) AS x",
  "SELECT * FROM (SELECT avg(b - a) AS mean FROM t) AS x",
  "SELECT mean FROM (SELECT avg(b - a) AS mean FROM t) AS x UNION ALL SELECT b - a FROM t",
  "SELECT (SELECT avg(b - a) FROM t) AS mean",
  "SELECT extract(hour FROM mean) AS h FROM (SELECT avg(b - a) AS mean FROM t) AS x",
  "SELECT CAST(mean AS text) AS m FROM (SELECT avg(b - a) AS mean FROM t) AS x",
  "SELECT max(mean) AS m FROM (SELECT avg(b - a) AS mean FROM t) AS x",
  "SELECT a + mean AS later FROM t, (SELECT avg(b - a) AS mean FROM t) AS x",
  "SELECT extract(epoch FROM coalesce(mean, INTERVAL '1 day')) AS s FROM (SELECT avg(b - a) AS mean FROM t) AS x",
];

describe.each(SOURCES)("%s", (source) => {
  test.each(PLANNED)("%s", (sql) => {
    expect(plan({ sql, ...requestOf(manifest, { source }) })).toMatchObject({ ok: true });
  });

  test.each(REFUSED)("refused: %s", (sql) => {
    expect(plan({ sql, ...requestOf(manifest, { source }) })).toMatchObject({ ok: false });
  });
});

test("the column of the answer is still an interval", () => {
  const planned = plan({ sql: "SELECT b - a AS took FROM t", ...requestOf(manifest, { source: "trino" }) });
  expect(planned).toMatchObject({ value: { columns: [{ name: "took", type: { kind: "interval" } }] } });
});
