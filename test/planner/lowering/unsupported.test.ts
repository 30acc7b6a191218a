/** Constructs outside a target's grammar are rejected with a position and not sent: fuzzing found each of these. */
import { expect, test } from "vitest";
import { type PlainTarget, plainError, plainPlan } from "../binding/plain.ts";

test.each<readonly [sql: string, target: PlainTarget, at: string]>([
  ["SELECT CAST(n_name AS struct<a int>) FROM nation", "postgres", "struct<a int>"],
  ["SELECT n_name::map<text, int> FROM nation", "duckdb", "map<text, int>"],
  ["SELECT TRY_CAST(n_name AS array<row(a int)>) FROM nation", "duckdb", "row(a int)"],
  ["SELECT CAST(n_nationkey AS numeric(5, -2)) FROM nation", "duckdb", "CAST(n_nationkey AS numeric(5, -2))"],
  ["SELECT NUMERIC(3, 5) '0.0012' AS x", "duckdb", "NUMERIC(3, 5) '0.0012'"],
  ["SELECT TRY_CAST(n_name AS decimal(1, 2)) FROM nation", "duckdb", "TRY_CAST(n_name AS decimal(1, 2))"],
  ["SELECT ARRAY[1]::numeric(5, -2)[] AS x", "duckdb", "ARRAY[1]::numeric(5, -2)[]"],
  ["SELECT INTERVAL 9223372036854775807 YEAR", "duckdb", "INTERVAL 9223372036854775807 YEAR"],
  ["SELECT n_nationkey::float8 % 2 FROM nation", "postgres", "n_nationkey::float8 % 2"],
  ["SELECT mod(n_nationkey::float8, 2) FROM nation", "postgres", "mod(n_nationkey::float8, 2)"],
  ["SELECT n_nationkey::numeric(39, 2) FROM nation", "duckdb", "n_nationkey::numeric(39, 2)"],
  ["VALUES (1, (2, 3))", "duckdb", "(2, 3)"],
  [
    "SELECT n_name FROM nation ORDER BY rank() OVER (ORDER BY n_regionkey) FETCH FIRST 2 ROWS WITH TIES",
    "duckdb",
    "rank() OVER (ORDER BY n_regionkey)",
  ],
])("%s on %s", (sql, target, at) => {
  const error = plainError(sql, target);
  expect(error.reason).toBe("UNSUPPORTED_ON_SOURCE");
  expect(error.span && sql.slice(error.span.start, error.span.end)).toBe(at);
  expect(() => plainPlan(sql, "input")).not.toThrow();
});

test.each(["postgres", "duckdb"] as const)("no decimal has no digits: %s", (target) =>
  expect(plainError("SELECT n_nationkey::numeric(0) FROM nation", target)).toMatchObject({ reason: "INVALID_QUERY" }),
);
