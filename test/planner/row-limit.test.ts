/** The `limit` parameter as a tree edit (docs/decisions/0009-no-silent-caps.md). */
import { describe, expect, test } from "vitest";
import { plainPlan } from "./binding/plain.ts";

const limited = (sql: string, limit: number, source: "postgres" | "duckdb"): string =>
  plainPlan(sql, source, { limit })
    .sql.replace(/^.*?( ORDER BY| LIMIT| OFFSET| FETCH)/s, "$1")
    .trim();

describe.each(["postgres", "duckdb"] as const)("%s", (source) => {
  test.each([
    ["added", "SELECT n_name FROM nation", 10, "LIMIT 10"],
    ["added after ORDER BY", "SELECT n_name FROM nation ORDER BY n_name", 10, "ORDER BY nation.n_name LIMIT 10"],
    ["a larger literal", "SELECT n_name FROM nation LIMIT 100", 10, "LIMIT 10"],
    ["a smaller literal", "SELECT n_name FROM nation LIMIT 5", 10, "LIMIT 5"],
    ["an equal literal", "SELECT n_name FROM nation LIMIT 10", 10, "LIMIT 10"],
    ["zero", "SELECT n_name FROM nation LIMIT 0", 10, "LIMIT 0"],
    ["leading zeros", "SELECT n_name FROM nation LIMIT 0005", 10, "LIMIT 0005"],
    ["a literal beyond 64 bits", "SELECT n_name FROM nation LIMIT 99999999999999999999", 10, "LIMIT 10"],
    ["LIMIT ALL", "SELECT n_name FROM nation LIMIT ALL", 10, "LIMIT 10"],
    ["an expression", "SELECT n_name FROM nation LIMIT 2 + 3", 10, "LIMIT least(2 + 3, 10)"],
    ["FETCH", "SELECT n_name FROM nation FETCH FIRST 100 ROWS ONLY", 10, "LIMIT 10"],
    ["FETCH of one row", "SELECT n_name FROM nation FETCH FIRST ROW ONLY", 10, "LIMIT 1"],
    ["OFFSET", "SELECT n_name FROM nation OFFSET 5", 10, "LIMIT 10 OFFSET 5"],
    ["both", "SELECT n_name FROM nation LIMIT 100 OFFSET 5", 10, "LIMIT 10 OFFSET 5"],
    [
      "ties at the cap",
      "SELECT n_name FROM nation ORDER BY n_name FETCH FIRST 10 ROWS WITH TIES",
      10,
      "ORDER BY nation.n_name LIMIT 10",
    ],
    ["a union", "SELECT 1 AS x UNION ALL SELECT 2 ORDER BY x", 10, "ORDER BY 1 LIMIT 10"],
    ["a query in parentheses", "(SELECT 1 AS x LIMIT 5)", 10, "LIMIT 5"],
  ])("%s", (_what, sql, limit, expected) => {
    expect(limited(sql, limit, source)).toBe(expected);
  });

  test("ties below the cap are counted by rank", () => {
    const { sql } = plainPlan("SELECT n_name FROM nation ORDER BY n_name FETCH FIRST 3 ROWS WITH TIES", source, {
      limit: 10,
    });
    expect(sql).toContain("rank() OVER (ORDER BY nation.n_name) <= 3");
    expect(sql).toMatch(/LIMIT 10$/);
  });

  test("limits inside stay", () => {
    const { sql } = plainPlan("SELECT * FROM (SELECT n_name FROM nation LIMIT 100) AS d", source, { limit: 10 });
    expect(sql).toMatch(/LIMIT 100\) AS d LIMIT 10$/);
  });

  /** Under a cap of 10 rows, whose limit of 11 shows whether there are more. */
  test.each([
    ["a larger literal is lowered", "SELECT n_name FROM nation LIMIT 100", "LIMIT 10", ["LIMIT 100 was lowered to 10"]],
    ["a literal one above", "SELECT n_name FROM nation LIMIT 11", "LIMIT 10", ["LIMIT 11 was lowered to 10"]],
    ["a literal at the cap stays", "SELECT n_name FROM nation LIMIT 10", "LIMIT 10", []],
    ["a smaller literal stays", "SELECT n_name FROM nation LIMIT 3", "LIMIT 3", []],
    [
      "beyond 64 bits",
      "SELECT n_name FROM nation LIMIT 99999999999999999999",
      "LIMIT 10",
      ["LIMIT 99999999999999999999"],
    ],
    ["FETCH", "SELECT n_name FROM nation FETCH FIRST 100 ROWS ONLY", "LIMIT 10", ["LIMIT 100 was lowered"]],
    ["no limit is not lowered", "SELECT n_name FROM nation", "LIMIT 11", []],
    ["an expression is not lowered", "SELECT n_name FROM nation LIMIT 20 + 3", "LIMIT least(20 + 3, 11)", []],
    ["a limit inside stays", "SELECT d.n_name FROM (SELECT n_name FROM nation LIMIT 100) AS d LIMIT 3", "LIMIT 3", []],
  ])("a cap on rows: %s", (_what, sql, end, warnings) => {
    const plan = plainPlan(sql, source, { limit: 11, mostRows: 10 });
    expect(plan.sql.endsWith(` ${end}`)).toBe(true);
    expect(plan.warnings.map(({ code }) => code)).toEqual(warnings.map(() => "LIMIT_APPLIED"));
    for (const [index, text] of warnings.entries()) expect(plan.warnings[index]?.message).toContain(text);
    const [span] = plan.warnings.flatMap((warning) => warning.span ?? []);
    if (span !== undefined) expect(sql.slice(span.start, span.end)).toMatch(/^\d+$/);
  });
});
