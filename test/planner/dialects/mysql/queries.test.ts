/** Queries that MySQL or MariaDB gets wrong as they are asked, and what is sent instead. */
import { expect, test } from "vitest";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ a: "INTEGER", b: "INTEGER", j: "JSON", l: "INTEGER[]" });
const sqlOf = (sql: string): string => planned(sql, manifest, { source: "mysql" }).sql;

test.each<[sql: string, printed: string]>([
  ["VALUES (1), (2)", "SELECT 1 AS `column1` UNION ALL VALUES /*!80019 ROW*/(2)"],
  // A join below VALUES loses its condition on MySQL 9.7.
  [
    "VALUES (1), ((SELECT max(a) FROM t)), (3)",
    "SELECT 1 AS `column1` UNION ALL SELECT (SELECT max(`t`.`a`) AS `max` FROM `t` AS `t`) AS `column1` UNION ALL SELECT 3 AS `column1`",
  ],
  [
    "WITH c AS MATERIALIZED (SELECT a FROM t) SELECT a FROM c",
    "WITH `c` AS (SELECT `t`.`a` FROM `t` AS `t`) SELECT `c`.`a` FROM `c`",
  ],
  // MariaDB does not find the table when it prepares this.
  ["SELECT a FROM t WHERE (SELECT b + 1) > 0", "SELECT `t`.`a` FROM `t` AS `t` WHERE `t`.`b` + 1 > 0"],
  ["SELECT (SELECT 1) AS v FROM t", "SELECT (SELECT 1 AS `column1`) AS `v` FROM `t` AS `t`"],
  ["SELECT (SELECT b WHERE a > 0) AS v FROM t", "SELECT (SELECT `t`.`b` WHERE `t`.`a` > 0) AS `v` FROM `t` AS `t`"],
  ["SELECT (SELECT b LIMIT 0) AS v FROM t", "SELECT (SELECT `t`.`b` LIMIT 0) AS `v` FROM `t` AS `t`"],
])("%s", (sql, printed) => expect(sqlOf(sql)).toBe(printed));

// MySQL sorts documents by rules of its own, MariaDB their texts, and arrays are documents there.
test.each([
  "SELECT a FROM t ORDER BY j",
  "SELECT a FROM t ORDER BY l",
  "SELECT j AS x FROM t ORDER BY x",
  "SELECT j FROM t UNION ALL SELECT j FROM t ORDER BY 1",
  "SELECT rank() OVER (ORDER BY j) FROM t",
  "SELECT string_agg('x', ',' ORDER BY l) FROM t",
  "SELECT min(j) FROM t",
  "SELECT max(l) OVER () FROM t",
  "SELECT greatest(j, j) FROM t",
  "SELECT least(l, l) FROM t",
])("%s has no order there", (sql) => {
  expect(() => sqlOf(sql)).toThrow(/a comparison of (json|arrays)/);
});

// Only aggregates of a query around a subquery are refused, for MariaDB's sake.
test.each([
  ["SELECT v, n FROM c", "SELECT `t`.`a` AS `v`, count(*) AS `n` FROM `t` AS `t` GROUP BY `t`.`a`"],
  ["SELECT v, s FROM c", "SELECT `t`.`a` AS `v`, sum(`t`.`b`) AS `s` FROM `t` AS `t` GROUP BY `t`.`a`"],
  [
    "SELECT (SELECT s FROM c WHERE v = u.a) AS s FROM t AS u",
    "SELECT (SELECT sum(`t`.`b`) AS `s` FROM `t` AS `t` WHERE `t`.`a` = `u`.`a`) AS `s` FROM `t` AS `u`",
  ],
])("measures of a cube are aggregates of its own query: %s", (sql, printed) => {
  const cube = {
    name: "c",
    baseObject: "t",
    dimensions: [{ name: "v", expression: "a", type: "INTEGER" }],
    measures: [
      { name: "n", expression: "count(*)", type: "BIGINT" },
      { name: "s", expression: "sum(b)", type: "BIGINT" },
    ],
  };
  const columns = ["a", "b"].map((name) => ({ name, type: "INTEGER" }));
  const models = [{ name: "t", tableReference: { table: "t" }, columns }];
  const withCube = manifestOf({ catalog: "c", schema: "s", models, cubes: [cube] });
  expect(planned(sql, withCube, { source: "mysql" }).sql).toBe(printed);
});

test("elements that differ for each row", () => {
  expect(sqlOf("SELECT u.v FROM t, unnest(ARRAY[t.a, t.b]) AS u(v)")).toContain("JSON_TABLE(CONCAT('[', ");
  expect(sqlOf("SELECT u.v FROM t, unnest(ARRAY[1, 2]) AS u(v)")).toContain("UNION ALL");
});
