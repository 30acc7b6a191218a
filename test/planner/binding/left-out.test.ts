/** COLUMN_LEFT_OUT: what `*` stands for where the source cannot return a column. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";

const manifest = manifestOfTable({ id: "INTEGER", tags: "VARCHAR[]", place: "STRUCT<a INTEGER>", note: "VARCHAR" });

function outcome(sql: string, source: DataSource) {
  try {
    const { columns, warnings } = planned(sql, manifest, { source });
    return { columns: columns.map(({ name }) => name), codes: warnings.map(({ code }) => code) };
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

describe.each([
  ["athena", ["id", "note"]],
  ["canner", ["id", "note"]],
  ["bigquery", ["id", "tags", "note"]],
  ["trino", ["id", "tags", "note"]],
  ["spark", ["id", "tags", "note"]],
] as const)("on %s", (source, columns) => {
  const codes = Array.from({ length: 4 - columns.length }, () => "COLUMN_LEFT_OUT");

  test.each(["SELECT * FROM t", "SELECT t.* FROM t ORDER BY id", "SELECT x.* FROM t AS x WHERE id > 1"])("%s", (sql) =>
    expect(outcome(sql, source)).toEqual({ columns, codes }),
  );

  test("columns beside the star stay", () =>
    expect(outcome("SELECT id AS first, * FROM t", source)).toEqual({ columns: ["first", ...columns], codes }));

  test.each([
    "SELECT place FROM t",
    "SELECT id, t.place FROM t",
    "SELECT DISTINCT * FROM t",
    "SELECT * FROM t UNION ALL SELECT * FROM t",
    "SELECT t.place AS p FROM t",
  ])("%s is refused", (sql) => expect(outcome(sql, source)).toBe("UNSUPPORTED_ON_SOURCE"));
});

describe.each(["postgres", "duckdb"] as const)("%s", (source) => {
  test("returns every column", () =>
    expect(outcome("SELECT * FROM t", source)).toEqual({ columns: ["id", "tags", "place", "note"], codes: [] }));
});

test("DuckDB returns structures of the manifest, and no rows that an expression makes", () => {
  expect(outcome("SELECT place FROM t", "duckdb")).toEqual({ columns: ["place"], codes: [] });
  expect(outcome("SELECT ROW(id, note) FROM t", "duckdb")).toBe("UNSUPPORTED_ON_SOURCE");
});
