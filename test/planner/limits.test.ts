/** Big and deep queries: an answer or a LIMIT_* error, never a stack overflow, in time that grows with the text. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { plainError, plainPlan } from "./binding/plain.ts";

const list = (count: number, item: (index: number) => string, separator = ", "): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

function outcome(sql: string, source: "postgres" | "duckdb"): string {
  try {
    plainPlan(sql, source);
    return "planned";
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return error.reason;
  }
}

describe.each(["postgres", "duckdb"] as const)("%s", (source) => {
  // At 20,000 items each of these is slow enough to fail when its time grows with the square.
  test.each([
    ["IN list", `SELECT 1 FROM nation WHERE n_nationkey IN (${list(20_000, String)})`],
    ["OR chain", `SELECT 1 FROM nation WHERE ${list(20_000, (i) => `n_nationkey = ${i}`, " OR ")}`],
    ["select list", `SELECT ${list(20_000, (i) => `n_nationkey + ${i}`)} FROM nation`],
    ["columns of one name", `SELECT ${list(20_000, () => "n_name")} FROM nation`],
    ["aggregates", `SELECT ${list(20_000, (i) => `sum(n_nationkey + ${i})`)} FROM nation`],
    [
      "grouping keys",
      `SELECT ${list(20_000, (i) => `n_nationkey + ${i}`)} FROM nation GROUP BY ${list(20_000, (i) => String(i + 1))}`,
    ],
    [
      "DISTINCT with ORDER BY",
      `SELECT DISTINCT ${list(20_000, (i) => `n_nationkey + ${i}`)} FROM nation ORDER BY ${list(20_000, (i) => String(i + 1))}`,
    ],
    ["VALUES", `VALUES ${list(20_000, (i) => `(${i}, 'a')`)}`],
    ["CASE branches", `SELECT CASE ${list(20_000, (i) => `WHEN n_nationkey = ${i} THEN ${i}`, " ")} END FROM nation`],
    ["rows", `SELECT 1 FROM nation WHERE (n_nationkey, n_name) IN (${list(10_000, (i) => `(${i}, 'a')`)})`],
    ["a string literal", `SELECT '${"x".repeat(1_000_000)}'`],
    ["a date format", `SELECT to_char(o_orderdate, '${"€".repeat(900_000)}') FROM orders`],
    ["a comment", `SELECT 1 /* ${"x".repeat(1_000_000)} */`],
    [
      "a chain of common tables",
      `WITH c0 AS (SELECT 1.5 AS x)${list(900, (i) => `, c${i + 1} AS (SELECT x + x AS x FROM c${i})`, "")} SELECT round(x, 2) FROM c900`,
    ],
  ])("%s", (_name, sql) => {
    expect(outcome(sql, source)).toBe("planned");
  });

  test.each([
    ["digits", "0".repeat(100_000)],
    ["blanks", `1${" ".repeat(100_000)}day`],
    ["terms", "1 day ".repeat(20_000)],
  ])("a long interval of %s", (_name, text) => {
    expect(outcome(`SELECT INTERVAL '${text}' YEAR TO MONTH`, source)).toBe("TYPE_MISMATCH");
    expect(outcome(`SELECT now() + '${text}'`, source)).not.toBe("planned");
  });

  test("a format of numbers that is none", () => {
    const expected = source === "duckdb" ? "UNSUPPORTED_ON_SOURCE" : "planned";
    expect(outcome(`SELECT to_char(1.5, '${" ".repeat(100_000)}\\')`, source)).toBe(expected);
  });

  test("unknown functions", () => {
    const sql = `SELECT ${list(20_000, (i) => `custom${i}(1)`)}`;
    expect(outcome(sql, source)).toBe(source === "postgres" ? "planned" : "FUNCTION_NOT_FOUND");
  });

  // Tried digit by digit at every place between two patterns, each of these took minutes.
  test.each([
    ["with an exponent", `SELECT ${"9".repeat(500_000)}e1, ${"0".repeat(400_000)}.1e-1`],
    ["as text, with a letter behind", `SELECT CAST('${"9".repeat(900_000)}x' AS numeric)`],
  ])("a number of many digits %s", (_name, sql) => {
    expect(["planned", "UNSUPPORTED_ON_SOURCE"]).toContain(outcome(sql, source));
  });

  test.each([
    ["parentheses", `SELECT ${"(".repeat(10_000)}1${")".repeat(10_000)}`],
    ["NOT", `SELECT ${"NOT ".repeat(10_000)}TRUE`],
    ["casts", `SELECT 1${"::int".repeat(10_000)}`],
    ["a sum", `SELECT ${list(10_000, String, " + ")}`],
    ["calls", `SELECT ${"abs(".repeat(10_000)}1${")".repeat(10_000)}`],
    ["CASE", `SELECT ${"CASE WHEN TRUE THEN ".repeat(10_000)}1${" END".repeat(10_000)}`],
    ["derived tables", `${"SELECT * FROM (".repeat(10_000)}SELECT 1 AS x${") AS t".repeat(10_000)}`],
    ["scalar subqueries", `${"SELECT (".repeat(10_000)}SELECT 1${")".repeat(10_000)}`],
    ["EXISTS", `${"SELECT 1 WHERE EXISTS (".repeat(10_000)}SELECT 1${")".repeat(10_000)}`],
    ["WITH", `${"WITH t AS (".repeat(10_000)}SELECT 1 AS x${") SELECT x FROM t".repeat(10_000)}`],
    ["arrays", `SELECT ${"ARRAY[".repeat(10_000)}1${"]".repeat(10_000)}`],
    ["rows", `SELECT ${"ROW(1, ".repeat(10_000)}2${")".repeat(10_000)}`],
    ["UNION", list(10_000, (i) => `SELECT ${i}`, " UNION ALL ")],
    ["joins", `SELECT 1 FROM nation n0 ${list(10_000, (i) => `CROSS JOIN nation n${i + 1}`, " ")}`],
    ["intervals", `SELECT DATE '2024-01-01'${" + INTERVAL '1 day'".repeat(10_000)}`],
  ])("10,000 deep: %s", (_name, sql) => {
    expect(outcome(sql, source)).toBe("LIMIT_DEPTH");
  });

  test.each([
    ["comma joins", `SELECT 1 FROM ${list(300, (i) => `nation n${i}`)}`],
    ["common tables", `WITH ${list(1_001, (i) => `c${i} AS (SELECT 1 AS x)`)} SELECT x FROM c0`],
    ["text", `SELECT '${"x".repeat(1024 * 1024)}'`],
  ])("too many: %s", (_name, sql) => {
    expect(outcome(sql, source)).toBe("LIMIT_SIZE");
  });
});

describe("calculated columns", () => {
  const chain = (length: number, expression: (index: number) => string) =>
    manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "m",
          tableReference: { schema: "main", table: "t" },
          columns: [
            { name: "c0", type: "INTEGER" },
            ...Array.from({ length }, (_, i) => ({
              name: `c${i + 1}`,
              type: "INTEGER",
              isCalculated: true,
              expression: expression(i),
            })),
          ],
        },
      ],
    });
  const reasonOf = (run: () => unknown): string => {
    try {
      run();
      return "planned";
    } catch (error) {
      if (!(error instanceof PlannerError)) throw error;
      return error.reason;
    }
  };

  test("that double at every step stop at a size", () => {
    const manifest = chain(40, (i) => `c${i} + c${i}`);
    expect(reasonOf(() => planned("SELECT c10 FROM m", manifest))).toBe("planned");
    expect(reasonOf(() => planned("SELECT c40 FROM m", manifest))).toBe("LIMIT_SIZE");
  });

  test("in a long chain stop at a depth", () => {
    const manifest = chain(5_000, (i) => `c${i} + 1`);
    expect(reasonOf(() => planned("SELECT c100 FROM m", manifest))).toBe("planned");
    expect(reasonOf(() => planned("SELECT c5000 FROM m", manifest))).toBe("LIMIT_DEPTH");
  });

  test("that need a wrong one tell its fault, however long the chain", () => {
    const manifest = chain(60, (i) => (i === 0 ? "c0 AND c0" : `c${i} + 1`));
    expect(() => planned("SELECT c60 FROM m", manifest)).toThrow(
      expect.objectContaining({ reason: "MANIFEST_EXPRESSION", message: expect.stringContaining('column "c1"') }),
    );
  });

  test.each([
    [490, 1],
    [400, 30],
    [50, 100],
    [3, 400],
  ])("in a chain of %i, each of %i levels, stop before the stack does", (length, levels) => {
    const nested = (i: number): string =>
      Array.from({ length: levels }).reduce<string>((inner) => `abs(${inner})`, `c${i}`);
    const manifest = chain(length, nested);
    for (const sql of [`SELECT c${length} FROM m`, `SELECT sum(c${length}) FROM m GROUP BY c${length}`]) {
      expect(reasonOf(() => planned(sql, manifest))).toMatch(/^LIMIT_/);
    }
  });
});

test("a plan that is deeper than its text says where", () => {
  expect(plainError(`SELECT to_char(now(), '${"1 day ".repeat(2_000)}')`, "duckdb")).toMatchObject({
    reason: "LIMIT_DEPTH",
    span: { start: 7 },
  });
});
