/** EXCEPT ALL and INTERSECT ALL by the numbers of equal rows. */
import { describe, expect, test } from "vitest";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ a: "INTEGER", s: "VARCHAR" });
const said = (sql: string, source: DataSource = "clickhouse"): string =>
  planned(sql, manifest, { source })
    .sql.replaceAll('"t" AS "t"', "t")
    .replaceAll(/"(\w+)"/g, "$1");

describe("rows of both sides are numbered among their equals", () => {
  test.each(["EXCEPT", "INTERSECT"])("%s ALL", (operator) => {
    expect(said(`SELECT a FROM t ${operator} ALL SELECT a + 1 FROM t ORDER BY 1`)).toMatch(
      new RegExp(
        `SELECT .*row_number\\(\\) OVER \\(PARTITION BY .*\\).* ${operator} SELECT .*row_number\\(\\).* ORDER BY `,
      ),
    );
  });

  test.each([
    "SELECT a, a FROM t EXCEPT ALL SELECT 1, 2",
    "SELECT a FROM t EXCEPT ALL (SELECT 1 INTERSECT ALL SELECT 2)",
    "SELECT a FROM t UNION ALL (SELECT 1 EXCEPT ALL SELECT 2)",
    "SELECT count(*) AS n FROM (SELECT s FROM t INTERSECT ALL SELECT s FROM t WHERE a > 1) AS d",
  ])("%s", (sql) => {
    expect(said(sql)).toContain("row_number()");
    expect(said(sql)).not.toMatch(/(?:EXCEPT|INTERSECT) ALL/);
  });

  test.each<DataSource>(["bigquery", "snowflake", "redshift", "doris", "mssql", "oracle"])("on %s", (source) => {
    expect(said("SELECT a, s FROM t EXCEPT ALL SELECT a, s FROM t", source)).toMatch(
      /row_number\(\) OVER \(PARTITION BY .*(?:EXCEPT|MINUS) .*row_number\(\) OVER \(PARTITION BY /,
    );
  });

  test("sets of distinct rows stay", () => {
    expect(said("SELECT a FROM t EXCEPT SELECT 1")).not.toContain("row_number");
  });
});
