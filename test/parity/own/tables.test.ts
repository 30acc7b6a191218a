/** The statements that somebody runs on an account: how each source's differ. What engines take that run here is in `test/engines`. */
import { expect, test } from "vitest";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import { statementsFor } from "./tables.ts";

/** The table's columns, and its first row. */
async function orders(source: PlannedSource): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const sql of statementsFor(source, "own"))
    if (/^\S+ (?:TABLE|INTO) \S*own\S*orders\W/.test(sql)) found.push(sql);
  const [create = "", insert = ""] = found;
  return [create, insert.replace(/( FROM DUAL|\)).*$/s, "$1")];
}

test.each<[PlannedSource, RegExp, RegExp]>([
  [
    "postgres",
    /^CREATE TABLE "own"\."orders" \("o_orderkey" INTEGER, .*"o_totalprice" DECIMAL\(15,2\), "o_orderdate" DATE, .*"o_created" TIMESTAMP\)$/,
    /^INSERT INTO "own"\."orders" VALUES \(\d+, \d+, '\w', [\d.]+, DATE '[-\d]+', .*, TIMESTAMP '[-: \d.]+'\)$/,
  ],
  [
    "mssql",
    /"o_orderstatus" NVARCHAR\(255\), .*"o_created" DATETIME2\(6\)\)$/,
    / VALUES \(\d+, \d+, N'\w', [\d.]+, '[-\d]+', N'.*, '[-: \d.]+'\)$/,
  ],
  [
    "snowflake",
    /^CREATE TABLE own\.orders \(o_orderkey INTEGER, .*o_created TIMESTAMP_NTZ\)$/,
    /^INSERT INTO own\.orders VALUES \(\d+, \d+, '\w', [\d.]+, '[-\d]+', .*, '[-: \d.]+'\)$/,
  ],
  [
    "bigquery",
    /^CREATE TABLE `own`\.`orders` \(`o_orderkey` INT64, .*`o_created` DATETIME\)$/,
    /, DATETIME '[-: \d.]+'\)$/,
  ],
  ["databricks", /`o_clerk` STRING, .*`o_created` TIMESTAMP_NTZ\)$/, /, TIMESTAMP_NTZ '[-: \d.]+'\)$/],
  ["clickhouse", /`o_orderdate` Nullable\(Date32\), .* ENGINE = MergeTree ORDER BY tuple\(\)$/, /, '[-: \d.]+'\)$/],
])("%s", async (source, create, insert) => {
  expect(await orders(source)).toEqual([expect.stringMatching(create), expect.stringMatching(insert)]);
});

test.each<[PlannedSource, RegExp]>([
  ["postgres", /'(?:[^']|'')*'/g],
  ["snowflake", /'(?:[^'\\]|\\.)*'/g],
])("no text of %s ends early", async (source, texts) => {
  for await (const sql of statementsFor(source, "own")) expect(sql.replaceAll(texts, "")).not.toContain("'");
});
