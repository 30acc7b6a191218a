/** EXCEPT ALL and INTERSECT ALL by the numbers of equal rows. */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ a: "INTEGER", s: "VARCHAR", f: "DOUBLE" });
const sent = (sql: string): string =>
  planned(sql, manifest, { source: "clickhouse" })
    .sql.replaceAll('"t" AS "t"', "t")
    .replaceAll(/"(\w+)"/g, "$1");

describe("rows of both sides are numbered among their equals", () => {
  test.each(["EXCEPT", "INTERSECT"])("%s ALL", (operator) => {
    expect(sent(`SELECT a FROM t ${operator} ALL SELECT a + 1 FROM t ORDER BY 1`)).toMatch(
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
    expect(sent(sql)).toContain("row_number()");
    expect(sent(sql)).not.toMatch(/(?:EXCEPT|INTERSECT) ALL/);
  });

  test.each([
    ["SELECT f FROM t EXCEPT ALL SELECT a FROM t", "EXCEPT ALL of doubles and other numbers"],
    [
      "SELECT a FROM t WHERE EXISTS (SELECT t.a INTERSECT ALL SELECT 1)",
      "INTERSECT ALL over columns of an outer query",
    ],
  ])("%s is refused", (sql, what) => {
    expect(() => sent(sql)).toThrow(what);
  });

  test("sets of distinct rows stay", () => {
    expect(sent("SELECT a FROM t EXCEPT SELECT 1")).not.toContain("row_number");
  });
});
