/** What a target's own grammar cannot hold is refused with a place, not sent: each of these was found by fuzzing. */
import { expect, test } from "vitest";
import { type PlainTarget, plainError, plainPlan } from "../binding/plain.ts";

test.each<readonly [sql: string, target: PlainTarget, at: string]>([
  ["SELECT CAST(n_name AS struct<a int>) FROM nation", "postgres", "struct<a int>"],
  ["SELECT n_name::map<text, int> FROM nation", "duckdb", "map<text, int>"],
  ["SELECT TRY_CAST(n_name AS array<row(a int)>) FROM nation", "duckdb", "row(a int)"],
  ["WITH RECURSIVE t(a) AS (SELECT 1 UNION SELECT 2 ORDER BY 1) SELECT a FROM t", "duckdb", "1"],
  ["WITH RECURSIVE t(a) AS (SELECT 1 UNION SELECT 2 LIMIT 1) SELECT a FROM t", "duckdb", "LIMIT 1"],
])("%s on %s", (sql, target, at) => {
  const error = plainError(sql, target);
  expect(error.reason).toBe("UNSUPPORTED_ON_SOURCE");
  expect(error.span && sql.slice(error.span.start, error.span.end)).toBe(at);
  expect(() => plainPlan(sql, "input")).not.toThrow();
});

test("a set operation with ORDER BY beside a recursive table stays where it can be said", () => {
  const sql = "WITH RECURSIVE t(a) AS (SELECT 1 UNION SELECT 2 ORDER BY 1) SELECT a FROM t";
  expect(plainPlan(sql, "postgres").sql).toContain("ORDER BY 1");
  expect(plainPlan(sql.replace("RECURSIVE ", ""), "duckdb").sql).toContain("ORDER BY 1");
});
