import { expect, test } from "vitest";
import { manifestOf, planned } from "../../../../support/plan.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const C = "WITH c AS (SELECT * FROM (VALUES (1, 2)) AS v(a, b))";

test.each([
  { sql: `${C} SELECT a FROM c`, onDisk: false },
  { sql: `${C} SELECT c.a FROM c JOIN c AS d ON c.a = d.b`, onDisk: true },
  {
    sql: `${C} SELECT a, count(*) FROM c WHERE NOT EXISTS (SELECT 1 FROM c AS m WHERE m.a = 7) GROUP BY a`,
    onDisk: true,
  },
  { sql: `${C}, d AS (SELECT a FROM c) SELECT a FROM d`, onDisk: false },
  { sql: `${C}, d AS (SELECT a FROM c) SELECT d.a FROM d CROSS JOIN c`, onDisk: true },
  { sql: "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r", onDisk: false },
  {
    sql: "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT r.n FROM r JOIN r AS q ON q.n = r.n",
    onDisk: true,
  },
])("$sql: temporary tables on disk: $onDisk", ({ sql, onDisk }) => {
  const { session } = planned(sql, manifest, { source: "mysql" });
  expect(session.some(({ name, value }) => name === "big_tables" && value === "1")).toBe(onDisk);
});
