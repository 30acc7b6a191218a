/** Refusals of Databricks and its settings; `test/sent-sql/dialects/databricks.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { DATABRICKS_TABLE } from "../../../sent-sql/dialects/databricks.ts";
import { manifestOf, planned } from "../../../support/plan.ts";

const sqlOf = (sql: string): string => planned(sql, DATABRICKS_TABLE, { source: "databricks" }).sql;

test("only what the connector asks a warehouse about is counted on", () => {
  expect(planned("SELECT i FROM t", DATABRICKS_TABLE, { source: "databricks" }).session).toEqual([
    { name: "ANSI_MODE", value: "true" },
    { name: "TIMEZONE", value: "UTC" },
  ]);
});

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

describe("a common table that names itself", () => {
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
