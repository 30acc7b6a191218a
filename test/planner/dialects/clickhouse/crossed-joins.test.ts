/** Chains of inner joins whose first equality stands in a later join. */
import { describe, expect, it } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const MANIFEST = manifestOfTable({ o: "INTEGER", p: "VARCHAR", n: "INTEGER" });
const fromOf = (sql: string): string => {
  const text = planned(`SELECT count(*) FROM ${sql}`, MANIFEST, { source: "clickhouse" }).sql;
  return text.slice(text.lastIndexOf(" FROM ") + 6).replaceAll('"', "");
};
const isCrossed = (sql: string): boolean => fromOf(sql).includes("CROSS JOIN") && !/ ON /.test(fromOf(sql));

describe("inner joins on ClickHouse", () => {
  it.each([
    "t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o AND b.p < c.p",
    "t a JOIN t b ON a.n < b.n JOIN t c ON a.o = c.o AND b.o = c.o",
    "t a JOIN t b ON a.p <> b.p JOIN t c ON a.o = c.o JOIN t d ON d.p = b.p AND d.n = c.n",
    "t a JOIN t b ON a.p < b.p AND a.o > 3 JOIN t c ON a.o = c.o AND b.o = c.o WHERE a.n / b.n > 1",
    "t a JOIN t b ON a.n < b.n AND a.p IS NOT NULL JOIN t c ON a.p = c.p AND b.p = c.p",
  ])("%s become cross joins", (sql) => {
    expect(isCrossed(sql)).toBe(true);
  });

  it.each([
    ["two tables", "t a JOIN t b ON a.p < b.p"],
    ["an equality in each ON", "t a JOIN t b ON a.o = b.o AND a.p < b.p JOIN t c ON b.o = c.o AND b.p < c.p"],
    ["no equality at all", "t a JOIN t b ON a.p < b.p JOIN t c ON b.p < c.p"],
    ["an equality that leads elsewhere", "t a JOIN t b ON a.p < b.p JOIN t c ON c.o = a.o"],
    ["an outer join", "t a JOIN t b ON a.p < b.p LEFT JOIN t c ON a.o = c.o AND b.o = c.o"],
    ["a condition that may fail", "t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o AND 1 / c.n > 0"],
    ["an equality of one table", "t a JOIN t b ON a.p < b.p JOIN t c ON a.o = a.n AND b.o = c.o"],
  ])("stay as they are with %s", (_what, sql) => {
    expect(isCrossed(sql)).toBe(false);
  });

  it("keep all conditions, before those of WHERE", () => {
    expect(fromOf("t a JOIN t b ON a.n < b.n JOIN t c ON a.o = c.o AND b.o = c.o WHERE c.n > 1")).toBe(
      "t AS a CROSS JOIN t AS b CROSS JOIN t AS c WHERE a.n < b.n AND a.o = c.o AND b.o = c.o AND c.n > 1",
    );
  });

  it("are found in common tables and subqueries", () => {
    const chain = "SELECT a.o FROM t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o";
    const sql = `WITH x AS (${chain}) SELECT o FROM x WHERE o IN (${chain})`;
    const text = planned(sql, MANIFEST, { source: "clickhouse" }).sql;
    expect(text).toContain("CROSS JOIN");
    expect(text).not.toContain(" ON ");
  });
});
