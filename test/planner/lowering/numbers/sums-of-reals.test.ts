/**
 * A column that the manifest calls `float` may hold doubles or decimals: no sum of it is rounded to a real. A column that is
 * declared `real`, and what was cast to one, is a real, and so is its sum, as in PostgreSQL.
 */
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../../support/plan.ts";

const SOURCES = [
  "duckdb",
  "local_file",
  "mysql",
  "doris",
  "clickhouse",
  "mssql",
  "oracle",
  "redshift",
  "spark",
  "databricks",
] as const;
const COLUMNS = ["real", "float"].map((type) => ({ name: type[0] ?? "", type }));
const model = { name: "t", tableReference: { schema: "s", table: "t" }, columns: COLUMNS };
const view = { name: "v", statement: "SELECT f + 1 AS f FROM t" };
const manifest = manifestOf({ catalog: "c", schema: "s", models: [model], views: [view] });
const ROUNDED = /cast\([^()]*sum\([^()]*\) as (?:real|float|binary_float|float32)\)|toFloat32\(sum/i;

test.each(SOURCES.flatMap((source) => ["sum(f) FROM t", "sum(f) FROM v"].map((text) => [source, text] as const)))(
  "%s keeps the digits of %s",
  (source, text) => expect(planned(`SELECT ${text}`, manifest, { source }).sql).not.toMatch(ROUNDED),
);

test.each(["duckdb", "local_file"] as const)("%s rounds the sum of what is certainly real", (source) => {
  for (const text of ["sum(r) FROM t", "sum(CAST(f AS real)) FROM t"]) {
    expect(planned(`SELECT ${text}`, manifest, { source }).sql).toMatch(/cast\(sum/i);
  }
});
