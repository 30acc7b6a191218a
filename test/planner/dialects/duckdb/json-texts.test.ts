/**
 * The texts of JSON on DuckDB take the long way only where another than a string's could show. That they are right is shown
 * by running them (`test/parity/originals/json.ts`, `test/parity/random/documents.ts`).
 */
import { expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "integer", j: "jsonb", k: "json", name: "text" });

const sqlOf = (sql: string, source: "duckdb" | "postgres" = "duckdb"): string => planned(sql, manifest, { source }).sql;

test.each([
  "SELECT id FROM t WHERE j ->> 'a' = 'dark'",
  "SELECT id FROM t WHERE j ->> 'a' IN ('x', 'true')",
  "SELECT id FROM t WHERE k ->> 'a' IS NOT NULL",
  "SELECT (j ->> 'a')::int, (k #>> '{a,b}')::boolean, (j ->> 'd')::date, (j ->> 'f')::float FROM t",
  "SELECT id FROM t WHERE name = '1234567890123456789012345'",
])("the short way: %s", (sql) => expect(sqlOf(sql)).not.toContain("lambda"));

test.each([
  "SELECT j ->> 'a' FROM t",
  "SELECT id FROM t WHERE j ->> 'a' = '{\"b\": 1}'",
  "SELECT id FROM t WHERE j ->> 'a' = '1.50'",
  "SELECT id FROM t WHERE j ->> 'a' = name",
  "SELECT (j ->> 'a')::numeric FROM t",
])("the long way: %s", (sql) => expect(sqlOf(sql)).toContain("lambda"));

test.each([
  "SELECT id FROM t WHERE j @> '{\"a\": 0.1234567890123456789}'",
  "SELECT id FROM t WHERE j = '[12345678901234567]'",
  "SELECT id FROM t WHERE j @> (SELECT j FROM t)",
  "SELECT j - CAST(id AS numeric) FROM t",
])("is refused: %s", (sql) => expect(() => sqlOf(sql)).toThrow(/not supported on DuckDB: /));

test("json is compared as jsonb on PostgreSQL", () =>
  expect(sqlOf("SELECT id FROM t WHERE k = '{}' AND k @> '{\"a\": 1}' AND j = '1'", "postgres")).toBe(
    "SELECT t.id FROM t AS t WHERE CAST(t.k AS JSONB) = CAST(CAST('{}' AS JSON) AS JSONB) " +
      "AND CAST(t.k AS JSONB) @> CAST('{\"a\": 1}' AS JSONB) AND t.j = CAST('1' AS JSONB)",
  ));
