/** Databricks: Spark's SQL with what differs, in sessions that nobody can set; `test/engines/spark-databricks.test.ts` reads it back. */
import { describe, expect, test } from "vitest";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  i: "INT",
  l: "BIGINT",
  d: "DECIMAL(15,2)",
  n: "DECIMAL",
  w: "DECIMAL(38,10)",
  f: "DOUBLE",
});

const sqlOf = (sql: string): string => planned(sql, manifest, { source: "databricks" }).sql.replaceAll("`t`.`", "`");

test("only what the connector asks a warehouse about is counted on", () => {
  expect(planned("SELECT i FROM t", manifest, { source: "databricks" }).session).toEqual([
    { name: "ANSI_MODE", value: "true" },
    { name: "TIMEZONE", value: "UTC" },
  ]);
});

test.each([
  // The quotient has what is left of 38 digits behind its point.
  ["SELECT d / i AS x FROM t", "SELECT CAST(`d` AS DECIMAL(38, 25)) / `i` AS `x` FROM `t` AS `t`"],
  ["SELECT d / 3 * 100 AS x FROM t", "CAST(CAST(`d` AS DECIMAL(38, 25)) / 3 AS DECIMAL(34, 21)) * 100"],
  ["SELECT sum(d) * 1.5 AS x FROM t", "SELECT sum(`d`) * 1.5 AS `x` FROM `t` AS `t`"],
  // Six digits behind the point are kept at any length.
  ["SELECT coalesce(sum(d * (1 - d) * (1 + d)), 0) AS x FROM t", "coalesce(sum(`d` * (1 - `d`) * (1 + `d`)), 0)"],
  // The types together have more than 38 digits: a sum has twenty before the point.
  [
    "SELECT sum(d * d) / sum(d) AS x FROM t",
    "SELECT CAST(sum(`d` * `d`) AS DECIMAL(38, 18)) / sum(`d`) AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT i FROM t GROUP BY i HAVING sum(d * d) > (SELECT sum(d * d) * 0.0001000000 FROM t)",
    "HAVING CAST(sum(`d` * `d`) AS DECIMAL(24, 4)) > (SELECT CAST(sum(`t_2`.`d` * `t_2`.`d`) AS DECIMAL(24, 4)) * 0.0001000000",
  ],
  ["SELECT i FROM t WHERE d = (SELECT min(d) FROM t)", "WHERE `d` = (SELECT min("],
  ["SELECT i FROM t WHERE d < (SELECT 0.2 * avg(d) FROM t)", "AS DECIMAL(35, 15)) AS"],
  // Both sides of a sum come to 37 digits, all values of a choice or a comparison to 38.
  [
    "SELECT i - avg(d) OVER () AS x FROM t",
    "SELECT `i` - CAST(avg(CAST(`d` AS DECIMAL(34, 14))) OVER () AS DECIMAL(37, 18)) AS",
  ],
  ["SELECT w - w AS x FROM t", "SELECT CAST(`w` AS DECIMAL(37, 10)) - CAST(`w` AS DECIMAL(37, 10)) AS"],
  ["SELECT w * 0.3127 AS x FROM t", "SELECT CAST(`w` AS DECIMAL(32, 10)) * 0.3127 AS"],
  ["SELECT w / w AS x FROM t", "SELECT CAST(`w` AS DECIMAL(38, 20)) / `w` AS"],
  ["SELECT d * d * d * d AS x FROM t", "SELECT CAST(`d` * `d` * `d` AS DECIMAL(22, 6)) * `d` AS"],
  ["SELECT coalesce(round(d, 2), d / 3) AS x FROM t", "AS DECIMAL(38, 2)) AS DECIMAL(22, 2)), CAST(CAST("],
  ["SELECT i FROM t WHERE round(d, 2) IN (1.5, 0.123)", "AS DECIMAL(38, 2)) AS DECIMAL(37, 2)) IN (1.5, 0.123)"],
  ["SELECT i FROM t WHERE d / 3 BETWEEN 1 AND round(d, 2)", "AS DECIMAL(38, 18)) BETWEEN 1 AND CAST(CAST("],
  [
    "SELECT round(d, 2) AS x FROM t UNION ALL SELECT d / 3 FROM t",
    "AS DECIMAL(22, 2)) AS `x` FROM `t` AS `t` UNION ALL",
  ],
  // A quotient that has no room for ten digits behind its point is one of doubles.
  ["SELECT avg(w) / avg(w) AS x FROM t", "AS DOUBLE) AS DECIMAL(35, 15)) AS `x`"],
  ["SELECT sqrt(d) AS x FROM t", "THEN sqrt(`d`)"],
  ["SELECT n * f AS x FROM t", "SELECT `n` * `f` AS `x` FROM `t` AS `t`"],
  ["SELECT d FROM t WHERE d > 1.5", "SELECT `d` FROM `t` AS `t` WHERE `d` > 1.5"],
])("%s", (sql, said) => expect(sqlOf(sql)).toContain(said));

const TOO_LONG = "decimals that may be longer than 38 digits together";

test.each([
  "SELECT n + 1 AS x FROM t",
  "SELECT n = d AS x FROM t",
  "SELECT d / n AS x FROM t",
  "SELECT d * d * d * d * d AS x FROM t",
  "SELECT w * w AS x FROM t",
  "SELECT coalesce(n, d / 3) AS x FROM t",
  "SELECT n AS x FROM t UNION ALL SELECT d / 3 FROM t",
  "SELECT i FROM t WHERE d / 3 IN (SELECT round(d, 2) FROM t)",
])("refuses %s", (sql) => {
  const message = `not supported on Databricks: ${TOO_LONG}`;
  expect(() => sqlOf(sql)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }));
});

/** By the manual alone: Spark 4.0 has none. */
describe("a common table that names itself", () => {
  test.each([
    [
      "whole numbers and texts, with a cast in both SELECTs",
      "WITH RECURSIVE r(n, x) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, x || 'b' FROM r WHERE n < 3) SELECT n, x FROM r",
      "WITH RECURSIVE `r`(`n`, `x`) AS (SELECT CAST(1 AS INT) AS `column1`, CAST('a' AS STRING) AS `column2` UNION ALL SELECT CAST(`r`.`n` + 1 AS INT) AS `column1`, CAST(`r`.`x` || 'b' AS STRING) AS `column2` FROM `r` WHERE `r`.`n` < 3) SELECT `r`.`n`, `r`.`x` FROM `r`",
    ],
    [
      "the same column twice, which gets two names",
      "WITH RECURSIVE r AS (SELECT i, i AS top FROM t UNION ALL SELECT t.i, r.top FROM t JOIN r ON t.l = r.i) SELECT top FROM r",
      "WITH RECURSIVE `r` AS (SELECT CAST(`i` AS INT) AS `i`, CAST(`i` AS INT) AS `top` FROM `t` AS `t` UNION ALL SELECT CAST(`i` AS INT) AS `i`, CAST(`r`.`top` AS INT) AS `top` FROM `t` AS `t` JOIN `r` ON `l` = `r`.`i`) SELECT `r`.`top` FROM `r`",
    ],
    [
      "decimals of one length",
      "WITH RECURSIVE r AS (SELECT 1 AS n, d FROM t UNION ALL SELECT n + 1, CAST(d * 1.05 AS numeric(15, 2)) FROM r WHERE n < 3) SELECT d + 1 AS x FROM r",
      "CAST(CAST(`r`.`d` * 1.05 AS DECIMAL(15, 2)) AS DECIMAL(15, 2)) AS `numeric` FROM `r` WHERE `r`.`n` < 3) SELECT `r`.`d` + 1 AS `x` FROM `r`",
    ],
    [
      "in front of a derived table",
      "SELECT q.n FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r) AS q",
      "FROM (WITH RECURSIVE `r`(`n`) AS (SELECT CAST(1 AS INT) AS `column1` UNION ALL SELECT CAST(`r`.`n` + 1 AS INT) AS",
    ],
    [
      "beside one that does not",
      "WITH RECURSIVE c AS (SELECT i FROM t UNION ALL SELECT i FROM t) SELECT i FROM c",
      "WITH `c` AS (SELECT",
    ],
  ])("%s", (_about, sql, said) => expect(sqlOf(sql)).toContain(said));

  test.each([
    ["SELECT 1 AS n UNION SELECT n + 1 FROM r WHERE n < 3", "a common table that names itself but by UNION ALL"],
    ["SELECT 1.5 AS n UNION ALL SELECT n * 1.5 FROM r WHERE n < 3", "a recursive table whose decimals grow"],
    ["SELECT ARRAY[i] AS n FROM t UNION ALL SELECT n || 1 FROM r", "an array in a recursive table"],
    [
      "SELECT 1 AS n UNION ALL SELECT r.n + 1 FROM t LEFT JOIN r ON r.n = t.i",
      "a common table that names itself in an outer join, a subquery or a grouped query",
    ],
  ])("refuses %s", (table, what) => {
    const message = `not supported on Databricks: ${what}`;
    expect(() => sqlOf(`WITH RECURSIVE r AS (${table}) SELECT n FROM r`)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }),
    );
  });
});

describe("a file is no table", () => {
  const of = (tableReference: object) =>
    manifestOf({
      catalog: "c",
      schema: "s",
      models: [{ name: "t", tableReference, columns: [{ name: "v", type: "STRING" }] }],
    });
  const plan = (tableReference: object): string =>
    planned("SELECT v FROM t", of(tableReference), { source: "databricks" }).sql;

  test.each([
    { schema: "text", table: "/etc/passwd" },
    { schema: "JSON", table: "dbfs" },
    { schema: "org.example.Format", table: "x" },
    { schema: "main", table: "s3://bucket/x" },
  ])("%o", (reference) =>
    expect(() => plan(reference)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" })),
  );

  test.each([
    { schema: "sales", table: "orders" },
    { catalog: "main", schema: "text", table: "orders" },
    { table: "a/b" },
  ])("but %o is", (reference) => expect(plan(reference)).toContain("FROM"));
});
