import { expect, test } from "vitest";
import { plan } from "../../../../../src/planner/index.ts";
import { manifestOf, requestOf } from "../../../../support/plan.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

test.each([
  ["GROUPING SETS ((), ())", false],
  ["GROUPING SETS ((), ROLLUP (a))", false],
  ["GROUPING SETS ((a), GROUPING SETS ((), ()))", false],
  ["GROUPING SETS ((), ()), a", true],
  ["ROLLUP (a), CUBE (b)", true],
  ["GROUPING SETS ((a), ())", true],
  ["a, b", true],
])("GROUP BY %s: planned: %s", (keys, isPlanned) => {
  const sql = `SELECT count(*) AS n FROM (VALUES (1, 2)) AS t(a, b) GROUP BY ${keys}`;
  const outcome = plan({ sql, ...requestOf(manifest, { source: "duckdb" }) });
  expect(outcome.ok).toBe(isPlanned);
  if (!outcome.ok) expect(outcome.error.message).toContain("an empty grouping set that is repeated");
});
