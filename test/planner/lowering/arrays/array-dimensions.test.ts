/** Arrays of arrays, which PostgreSQL takes for one array of several dimensions. */
import { describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../../support/plan.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const NESTED = "ARRAY[[1, 2], [3, 4]]";
const QUERIES = [
  `SELECT unnest(${NESTED}) AS a`,
  `SELECT a FROM unnest(${NESTED}) AS t(a)`,
  `SELECT cardinality(${NESTED}) AS n`,
  `SELECT 1 = ANY(${NESTED}) AS n`,
];

describe.each(["trino", "athena", "spark", "databricks", "bigquery", "clickhouse", "snowflake", "mysql"] as const)(
  "%s",
  (source) => {
    test.each(QUERIES)("%s is refused", (sql) => {
      expect(() => planned(sql, manifest, { source })).toThrow("the elements of an array of arrays");
    });
  },
);

test.each(QUERIES)("DuckDB flattens them: %s", (sql) => {
  expect(planned(sql, manifest, { source: "duckdb" }).sql).toContain("flatten(");
});
