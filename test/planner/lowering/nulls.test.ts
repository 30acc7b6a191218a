/** NULLS LAST on PostgreSQL: exactly where NULL is possible and would come first. */
import { describe, expect, test } from "vitest";
import { plainPlan } from "../binding/plain.ts";

const orderOf = (sql: string): string => plainPlan(sql).sql.replace(/^.* ORDER BY /s, "");

describe("written out", () => {
  test.each([
    [
      "a nullable column, descending",
      "SELECT n_name FROM nation ORDER BY n_name DESC",
      "nation.n_name DESC NULLS LAST",
    ],
    [
      "NULLS FIRST that the caller wrote",
      "SELECT n_name FROM nation ORDER BY n_name NULLS FIRST",
      "nation.n_name NULLS FIRST",
    ],
    [
      "an expression of a nullable column",
      "SELECT n_name FROM nation ORDER BY upper(n_name) DESC",
      "upper(nation.n_name) DESC NULLS LAST",
    ],
    [
      "a key on the far side of a left join",
      "SELECT n.n_name FROM region r LEFT JOIN nation n ON n.n_regionkey = r.r_regionkey ORDER BY n.n_nationkey DESC",
      "n.n_nationkey DESC NULLS LAST",
    ],
    [
      "a key on the near side of a right join",
      "SELECT n.n_name FROM nation n RIGHT JOIN region r ON n.n_regionkey = r.r_regionkey ORDER BY n.n_nationkey DESC",
      "n.n_nationkey DESC NULLS LAST",
    ],
    [
      "a key of either side of a full join",
      "SELECT 1 FROM nation n FULL JOIN region r ON n.n_regionkey = r.r_regionkey ORDER BY n.n_nationkey DESC, r.r_regionkey DESC",
      "n.n_nationkey DESC NULLS LAST, r.r_regionkey DESC NULLS LAST",
    ],
    [
      "a key under grouping sets",
      "SELECT n_nationkey FROM nation GROUP BY ROLLUP (n_nationkey) ORDER BY n_nationkey DESC",
      "nation.n_nationkey DESC NULLS LAST",
    ],
    [
      "what WHERE excludes, under grouping sets",
      "SELECT n_name FROM nation WHERE n_name > 'a' GROUP BY CUBE (n_name) ORDER BY n_name DESC",
      "nation.n_name DESC NULLS LAST",
    ],
    [
      "NOT IN of a query that may be empty",
      "SELECT n_name FROM nation WHERE n_name NOT IN (SELECT r_name FROM region) ORDER BY n_name DESC",
      "nation.n_name DESC NULLS LAST",
    ],
    [
      "one alternative of OR",
      "SELECT n_name FROM nation WHERE n_name > 'a' OR n_nationkey = 1 ORDER BY n_name DESC",
      "nation.n_name DESC NULLS LAST",
    ],
    [
      "VALUES with a typed NULL",
      "SELECT x FROM (VALUES (1), (NULL::int)) AS t(x) ORDER BY x DESC",
      "t.x DESC NULLS LAST",
    ],
    [
      "a position after a set operation",
      "SELECT n_nationkey FROM nation UNION SELECT 1 ORDER BY 1 DESC",
      "1 DESC NULLS LAST",
    ],
    ["a sum", "SELECT sum(n_nationkey) FROM nation ORDER BY 1 DESC", "sum(nation.n_nationkey) DESC NULLS LAST"],
    [
      "the recursive arm's own column",
      "WITH RECURSIVE t AS (SELECT 1 AS x UNION ALL SELECT nullif(x + 1, 3) FROM t WHERE x < 3) SELECT x FROM t ORDER BY x DESC",
      "t.x DESC NULLS LAST",
    ],
  ])("%s", (_name, sql, expected) => {
    expect(orderOf(sql)).toBe(expected);
  });
});

describe("left out", () => {
  test.each([
    ["ascending", "SELECT n_name FROM nation ORDER BY n_name", "nation.n_name"],
    ["NULLS LAST, ascending", "SELECT n_name FROM nation ORDER BY n_name NULLS LAST", "nation.n_name"],
    ["NULLS FIRST, descending", "SELECT n_name FROM nation ORDER BY n_name DESC NULLS FIRST", "nation.n_name DESC"],
    ["a primary key", "SELECT n_name FROM nation ORDER BY n_nationkey DESC", "nation.n_nationkey DESC"],
    [
      "the near side of a left join",
      "SELECT 1 FROM region r LEFT JOIN nation n ON n.n_regionkey = r.r_regionkey ORDER BY r.r_regionkey DESC",
      "r.r_regionkey DESC",
    ],
    [
      "a column that WHERE compares",
      "SELECT n_name FROM nation WHERE n_name > 'a' ORDER BY n_name DESC",
      "nation.n_name DESC",
    ],
    [
      "a column that WHERE tests",
      "SELECT n_name FROM nation WHERE n_name IS NOT NULL AND n_regionkey = 1 ORDER BY n_name DESC",
      "nation.n_name DESC",
    ],
    [
      "NOT IN of a list",
      "SELECT n_name FROM nation WHERE n_name NOT IN ('a') ORDER BY n_name DESC",
      "nation.n_name DESC",
    ],
    ["a count", "SELECT count(*) FROM nation GROUP BY n_regionkey ORDER BY 1 DESC", "count(*) DESC"],
    [
      "COALESCE with a constant",
      "SELECT n_name FROM nation ORDER BY coalesce(n_name, '') DESC",
      "coalesce(nation.n_name, '') DESC",
    ],
    [
      "a key through a derived table",
      "SELECT k FROM (SELECT n_nationkey AS k FROM nation) AS d ORDER BY k DESC",
      "d.k DESC",
    ],
  ])("%s", (_name, sql, expected) => {
    expect(orderOf(sql)).toBe(expected);
  });

  test("on DuckDB, whose NULLs are last anyway", () => {
    expect(plainPlan("SELECT n_name FROM nation ORDER BY n_name DESC", "duckdb").sql).not.toContain("NULLS");
    expect(plainPlan("SELECT n_name FROM nation ORDER BY n_name NULLS FIRST", "duckdb").sql).toContain("NULLS FIRST");
  });
});

describe("nullable columns of the plan", () => {
  test.each([
    ["SELECT n_nationkey, n_name, count(*) AS n FROM nation GROUP BY 1, 2", [false, true, false]],
    ["SELECT n_nationkey, 1 AS one, count(*) AS n FROM nation GROUP BY ROLLUP (1, 2)", [true, true, true]],
    ["SELECT x FROM (VALUES (1), (NULL::int)) AS t(x)", [true]],
    ["SELECT x FROM (VALUES (1), (2)) AS t(x)", [false]],
    ["SELECT n.n_nationkey FROM region r LEFT JOIN nation n ON n.n_regionkey = r.r_regionkey", [true]],
    ["SELECT n_nationkey FROM nation UNION ALL SELECT NULL", [true]],
    ["SELECT n_nationkey FROM nation EXCEPT SELECT NULL", [false]],
    ["SELECT (SELECT n_nationkey FROM nation LIMIT 1) AS k, EXISTS (SELECT 1) AS e", [true, false]],
    [
      "WITH RECURSIVE t AS (SELECT 1 AS x UNION ALL SELECT nullif(x + 1, 3) FROM t WHERE x < 3) SELECT x FROM t",
      [true],
    ],
  ])("%s", (sql, expected) => {
    expect(plainPlan(sql).columns.map((column) => column.nullable)).toEqual(expected);
  });
});
