/** Functions that the catalogue lacks or a target refuses: grouping around them, and the words of refusals. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      primaryKey: "id",
      columns: ["id", "k", "v"].map((name) => ({ name, type: "INTEGER" })),
    },
  ],
});

const plan = (sql: string, source: DataSource) => planned(sql, manifest, { source });

function refusal(sql: string, source: DataSource): PlannerError {
  try {
    plan(sql, source);
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error(`planned: ${sql}`);
}

describe("an unknown function in a grouped query may be an aggregate", () => {
  test.each([
    "SELECT k, my_agg(v) FROM t GROUP BY k",
    "SELECT k, my_agg(v + 1) + sum(v) FROM t GROUP BY k",
    "SELECT my_agg(v), count(*) FROM t",
    "SELECT k, round(my_agg(v)) FROM t GROUP BY k HAVING my_agg(v) > 1",
    "SELECT k FROM t GROUP BY k ORDER BY my_agg(v)",
  ])("%s", (sql) => {
    expect([...new Set(plan(sql, "postgres").warnings.map(({ code }) => code))]).toEqual(["UNKNOWN_FUNCTION"]);
  });

  test("what a grouped key determines stays grouped inside of it", () => {
    expect(plan("SELECT id, my_fun(v), count(*) FROM t GROUP BY id", "postgres").sql).toContain("GROUP BY t.id, t.v");
  });

  test("a column beside it is held to GROUP BY", () => {
    expect(refusal("SELECT k, my_agg(v) + v FROM t GROUP BY k", "postgres").reason).toBe("UNGROUPED_COLUMN");
  });
});

describe("refusals of a target name the function, its place and a way out", () => {
  test.each([
    ["duckdb", "clock_timestamp()", "UNSUPPORTED_ON_SOURCE", /now\(\)/],
    ["duckdb", "jsonb_object_agg(v::float8, k)", "UNSUPPORTED_ON_SOURCE", /AS text/],
    ["duckdb", "gcd(k::numeric, v)", "UNSUPPORTED_ON_SOURCE", /bigint/],
    ["duckdb", "to_char(v::float8, '999')", "UNSUPPORTED_ON_SOURCE", /numeric/],
    ["duckdb", "to_char(v, '9.9EEEE')", "UNSUPPORTED_ON_SOURCE", /Use 9, 0/],
    ["duckdb", "to_char(now(), 'TZ')", "UNSUPPORTED_ON_SOURCE", undefined],
    ["duckdb", "to_date('1', 'J')", "UNSUPPORTED_ON_SOURCE", /YYYY/],
    ["duckdb", "regexp_match('ab', '(a*)?b')", "UNSUPPORTED_ON_SOURCE", /regexp_substr/],
    ["duckdb", "json_build_object('a', v / 3.0)", "UNSUPPORTED_ON_SOURCE", /Round/],
    ["duckdb", "quote_ident('a')", "UNSUPPORTED_ON_SOURCE", undefined],
    ["postgres", "product(v)", "UNSUPPORTED_ON_SOURCE", undefined],
    ["postgres", "last(v)", "FUNCTION_NOT_ALLOWED", /ORDER BY y DESC/],
    ["postgres", "first(v)", "FUNCTION_NOT_ALLOWED", /ORDER BY y/],
    ["postgres", "julianday('2024-01-01')", "FUNCTION_NOT_ALLOWED", /days between/],
    ["postgres", "str_to_date('2024', '%Y')", "FUNCTION_NOT_ALLOWED", /to_date/],
    ["postgres", "histogram(v)", undefined, undefined],
  ] as const)("%s: %s", (source, call, reason, hint) => {
    const sql = `SELECT ${call} FROM t`;
    if (reason === undefined) {
      expect(plan(sql, source).warnings.map(({ code }) => code)).toEqual(["UNKNOWN_FUNCTION"]);
      return;
    }
    const error = refusal(sql, source);
    expect([error.reason, error.span !== undefined]).toEqual([reason, true]);
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  });
});
