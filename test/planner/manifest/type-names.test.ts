/**
 * Type names of a manifest are the source's own (docs/decisions/0040-types-of-the-manifest.md#decision). Searched: every name that
 * metadata of DuckDB and PostgreSQL tells, against the type that the engine has; spellings that are names of one source alone;
 * names that nobody knows.
 */
import { describe, expect, test } from "vitest";
import { duckDbTypeName } from "../../../src/connectors/catalog/duckdb.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { describeType } from "../../../src/planner/types.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const manifestWith = (type: string) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "x", type }] }],
  });
const typeOn = (source: DataSource, type: string): string =>
  describeType(planned("SELECT x FROM t", manifestWith(type), { source }).columns[0]!.type);

describe("a name that sources mean differently", () => {
  test.each([
    ["FLOAT", "real", "double precision"],
    ["float[]", "real[]", "double precision[]"],
    ["REAL", "real", "real"],
    ["DOUBLE", "double precision", "double precision"],
    ["int1", "smallint", "int1"],
    ["LOGICAL", "boolean", "logical"],
    ["DECIMAL(10, 2)", "numeric(10,2)", "numeric(10,2)"],
    ["no_such_type", "no_such_type", "no_such_type"],
  ])("%s", (name, duckdb, postgres) => {
    expect(typeOn("duckdb", name)).toBe(duckdb);
    expect(typeOn("local_file", name)).toBe(duckdb);
    expect(typeOn("postgres", name)).toBe(postgres);
  });

  test("is read for each source by itself from one manifest", () => {
    const manifest = manifestWith("FLOAT");
    const told = (source: DataSource) => planned("SELECT x * 3 AS y FROM t", manifest, { source });
    expect(told("duckdb").sql).toContain("CAST(t.x AS DOUBLE PRECISION) * 3");
    expect(told("postgres").sql).toContain("t.x * 3");
    expect(told("duckdb").sql).toContain("CAST(t.x AS DOUBLE PRECISION) * 3");
  });
});

describe("what metadata of DuckDB tells is read back as what it is", () => {
  test.each([
    ["FLOAT", "real"],
    ["DOUBLE", "double precision"],
    ["BIGINT", "bigint"],
    ["INTEGER", "integer"],
    ["SMALLINT", "smallint"],
    ["BOOLEAN", "boolean"],
    ["DATE", "date"],
    ["TIME", "time"],
    ["TIMESTAMP", "timestamp"],
    ["TIMESTAMP WITH TIME ZONE", "timestamp with time zone"],
    ["INTERVAL", "interval"],
    ["BLOB", "binary"],
    ["UUID", "uuid"],
    ["JSON", "json"],
    ["VARCHAR", "text"],
    ["DECIMAL(12,2)", "numeric"],
    ["INTEGER[]", "integer[]"],
    ["MAP(VARCHAR, INTEGER)", "map"],
    ["STRUCT(a INTEGER)", "row"],
  ])("%s", (native, type) => {
    expect(typeOn("duckdb", duckDbTypeName(native)).toLowerCase()).toBe(type);
  });
});
