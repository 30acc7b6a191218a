/** Where a column that may be BIT is read as a number, and where it stays a column, which an index may be asked for. */
import { expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ y: "BOOLEAN", b: "TINYINT", w: "INT64", l: "BIT(64)", i: "INTEGER", f: "DOUBLE" });
const sql = (text: string): string =>
  planned(text, manifest, { source: "mysql" })
    .sql.replaceAll("`", "")
    .replaceAll(/\bt\.| AS t\b/g, "");

test.each([
  ["SELECT b, w FROM t WHERE b = 5", "SELECT b, w FROM t WHERE b = 5"],
  ["SELECT i FROM t WHERE b <> 1 AND 7 > w", "SELECT i FROM t WHERE b <> 1 AND 7 > w"],
  ["SELECT i FROM t WHERE b IN (1, 2) OR l BETWEEN 3 AND 9", "SELECT i FROM t WHERE b IN (1, 2) OR l BETWEEN 3 AND 9"],
  ["SELECT i FROM t WHERE b IS NULL", "SELECT i FROM t WHERE b IS NULL"],
  ["SELECT y FROM t WHERE y AND NOT y OR y = TRUE", "SELECT y FROM t WHERE y AND NOT y OR y = TRUE"],
  ["SELECT CASE WHEN y THEN 1 END AS x FROM t", "SELECT CASE WHEN y THEN 1 END AS x FROM t"],
  ["SELECT x.i FROM t AS x JOIN t AS y ON x.b = y.i", "SELECT x.i FROM t AS x JOIN t AS y ON x.b = y.i"],
  ["SELECT DISTINCT b FROM t ORDER BY b DESC NULLS LAST", "SELECT DISTINCT b FROM t ORDER BY b DESC"],
  ["SELECT b, count(*) AS n FROM t GROUP BY b", "SELECT b, count(*) AS n FROM t GROUP BY b"],
])("%s: the column itself", (text, expected) => {
  expect(sql(text)).toBe(expected);
});

test.each([
  ["SELECT max(b) AS x FROM t", "SELECT max(b + 0) AS x FROM t"],
  ["SELECT coalesce(y, FALSE) AS x FROM t", "SELECT coalesce(y <> 0, FALSE) AS x FROM t"],
  ["SELECT bool_and(y) AS x FROM t", "SELECT min(y <> 0) AS x FROM t"],
  ["SELECT CAST(w AS text) AS x FROM t", "SELECT CAST(w + 0 AS CHAR) AS x FROM t"],
  ["SELECT CASE WHEN b = 1 THEN l END AS x FROM t", "SELECT CASE WHEN b = 1 THEN l + 0 END AS x FROM t"],
  ["SELECT i FROM t WHERE b > -1", "SELECT i FROM t WHERE b + 0 > -1"],
  ["SELECT i FROM t WHERE b = f", "SELECT i FROM t WHERE b + 0 = f"],
  ["SELECT i FROM t WHERE b > i", "SELECT i FROM t WHERE b + 0 > i"],
  ["SELECT i FROM t WHERE b IN (1, i)", "SELECT i FROM t WHERE b + 0 IN (1, i)"],
  ["SELECT b FROM t UNION ALL SELECT i FROM t", "SELECT b + 0 AS b FROM t UNION ALL SELECT i FROM t"],
  ["SELECT (SELECT b FROM t LIMIT 1) AS x", "SELECT (SELECT b + 0 AS b FROM t LIMIT 1) AS x"],
])("%s: the number", (text, expected) => {
  expect(sql(text)).toBe(expected);
});

test("columns that cannot be BIT stay as they are", () => {
  const types = ["INT", "SMALLINT", "BIGINT", "TINYINT UNSIGNED", "INT2", "INT8", "DECIMAL(20, 0)", "NUMERIC"];
  for (const type of types) {
    const { sql: text } = planned("SELECT max(x) AS y FROM t", manifestOfTable({ x: type }), { source: "mysql" });
    expect(text).not.toContain("+ 0");
  }
});
