/** Casts that would read the source's catalogue: a table is a type there, and `reg…` types look objects up. */
import { expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";

const manifest = manifestOf(plainManifest("postgres"));

test.each([
  "SELECT 1259::regclass",
  "SELECT x::regclass FROM generate_series(1, 3) AS g(x)",
  "SELECT CAST(10 AS regrole)",
  "SELECT 'f'::regproc::oid",
  "SELECT CAST('(1,a)' AS customer)",
  "SELECT to_json(NULL::orders)",
  "SELECT TRY_CAST('x' AS pg_authid)",
  "SELECT ARRAY[1]::regclass[]",
  "SELECT CAST(c_name AS struct<a regtype>) FROM customer",
])("%s", (sql) => {
  for (const source of ["postgres", "duckdb", undefined] as const) {
    let error: unknown;
    try {
      planned(sql, manifest, { source });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PlannerError);
    expect((error as PlannerError).message).toMatch(/^type ".*" is not known$/);
  }
});

test("known names without a kind of their own pass", () => {
  expect(
    planned("SELECT CAST('10.0.0.1' AS inet) AS a, '<a/>'::xml AS b, ARRAY['1.2.3.4']::cidr[] AS c", manifest, {
      source: "postgres",
    }).columns,
  ).toHaveLength(3);
});
