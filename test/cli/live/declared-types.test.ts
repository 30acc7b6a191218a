/** `siskin validate --live`: declared types beside those of the source. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typeDifferences } from "../../../cli/live/declared-types.ts";
import { readManifestText } from "../../../src/planner/index.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { siskin } from "../../support/terminal.ts";

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "siskin-types-"));
  const instance = await DuckDBInstance.create(join(directory, "shop.duckdb"));
  const connection = await instance.connect();
  await connection.run('CREATE TABLE t (a INTEGER, b DECIMAL(10,2), "C d" TIMESTAMP, e VARCHAR, f BOOLEAN, g DATE)');
  connection.closeSync();
  instance.closeSync();
  expect(await siskin(["init", "--from", "shop.duckdb", "p"], { directory })).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(directory, { recursive: true }));

test("each difference has file, line and column, and what to declare", async () => {
  const file = join(directory, "p/models/t/metadata.yml");
  const before = readFileSync(file, "utf8");
  const [, own = ""] = /name: a\n\s+type: (\w+)/.exec(before) ?? [];
  expect(own.toLowerCase()).toMatch(/^int/);
  const changed = before
    .replace(`type: ${own}`, "type: BIGINT")
    .replace("DECIMAL(10,2)", "DECIMAL(12,2)")
    .replace("type: TIMESTAMP", "type: TIMESTAMPTZ");
  writeFileSync(file, changed);
  const line = (name: string): number => changed.split("\n").findIndex((each) => each.endsWith(`name: ${name}`)) + 1;
  const found = await siskin(["validate", "--live", "-p", "p"], { directory });
  expect(found).toMatchObject({ code: 1, out: "" });
  expect(found.err.split("\n").filter((each) => /error|hint|fault/.test(each))).toEqual([
    `p/models/t/metadata.yml:${line("a")}:11: error: column "a" of model "t" is declared BIGINT, and the source has ${own}.`,
    `  hint: Declare ${own}, or convert the column in its expression.`,
    `p/models/t/metadata.yml:${line("b")}:11: error: column "b" of model "t" is declared DECIMAL(12,2), and the source has DECIMAL(10,2).`,
    "  hint: Declare DECIMAL(10,2), or convert the column in its expression.",
    `p/models/t/metadata.yml:${line("c_d")}:11: error: column "c_d" of model "t" is declared TIMESTAMPTZ, and the source has TIMESTAMP.`,
    "  hint: Declare TIMESTAMP, or convert the column in its expression.",
    "p: 3 faults.",
  ]);
  writeFileSync(file, before);
  expect(await siskin(["validate", "--live", "-p", "p"], { directory })).toMatchObject({ code: 0 });
});

test("files of every format are compared", async () => {
  mkdirSync(join(directory, "data"));
  writeFileSync(join(directory, "data/o.csv"), "id,n\n1,2\n");
  writeFileSync(join(directory, "data/e.json"), '{"id": 1}\n');
  expect(await siskin(["init", "--from", "data", "q"], { directory })).toMatchObject({ code: 0 });
  for (const name of ["o", "e"]) {
    const file = join(directory, `q/models/${name}/metadata.yml`);
    writeFileSync(file, readFileSync(file, "utf8").replace("type: INT64", "type: INTEGER"));
  }
  const found = await siskin(["validate", "--live", "-p", "q"], { directory });
  expect(found.err).toContain('column "id" of model "e" is declared INTEGER, and the source has INT64.');
  expect(found.err).toContain('column "id" of model "o" is declared INTEGER, and the source has INT64.');
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly expression?: string;
  readonly isCalculated?: boolean;
}

function differences(declared: Column, reported: Column, source: DataSource = "postgres", schema?: string) {
  const read = readManifestText(
    JSON.stringify({
      catalog: "c",
      schema: "s",
      models: [
        { name: "m", tableReference: { table: "T", ...(schema !== undefined && { schema }) }, columns: [declared] },
      ],
    }),
    1_000_000,
  );
  if (!read.ok) throw new Error(read.error.message);
  const tables = ["a", "b"].map((each) => ({ name: each, tableReference: { schema: each, table: "T" }, columns: [] }));
  const listed = { name: "t", tableReference: { schema: "own", table: "T" }, columns: [reported] };
  return typeDifferences(read.value.data, { models: schema === undefined ? [listed] : [...tables, listed] }, source);
}

describe("types that agree", () => {
  test.each<[declared: string, reported: string, source?: DataSource]>([
    ["INTEGER", "int4"],
    ["VARCHAR", "TEXT"],
    ["VARCHAR(20)", "CHAR(3)"],
    ["DECIMAL", "DECIMAL(10,2)"],
    ["DECIMAL(10,2)", "DECIMAL"],
    ["DECIMAL(10,2)", "numeric(10,2)"],
    ["BOOLEAN", "TINYINT", "mysql"],
    ["INTEGER", "DECIMAL(9,0)"],
    ["INTEGER", "DECIMAL"],
    ["JSON", "VARCHAR"],
    ["JSON", "JSONB"],
    ["UUID", "VARCHAR"],
    ["INTEGER[]", "INTEGER[]"],
    ["geometry", "VARCHAR"],
    ["VARCHAR", "UNKNOWN"],
  ])("%s and %s", (declared, reported, source) => {
    expect(differences({ name: "x", type: declared }, { name: "x", type: reported }, source)).toEqual([]);
  });

  test.each<[what: string, declared: Column, reported: Column]>([
    [
      "a calculated column",
      { name: "x", type: "TEXT", expression: "1", isCalculated: true },
      { name: "x", type: "INTEGER" },
    ],
    ["an expression", { name: "x", type: "TEXT", expression: "upper(x)" }, { name: "x", type: "INTEGER" }],
    ["a column that the source does not list", { name: "y", type: "TEXT" }, { name: "x", type: "INTEGER" }],
  ])("%s is not compared", (_, declared, reported) => {
    expect(differences(declared, reported)).toEqual([]);
  });

  test("a table that two schemas have", () => {
    const column = { name: "x", type: "TEXT" };
    expect(differences(column, { name: "x", type: "INTEGER" }, "postgres", "absent")).toEqual([]);
    expect(differences(column, { name: "x", type: "INTEGER" }, "postgres", "own")).toHaveLength(1);
  });
});

describe("types that differ", () => {
  test.each<[declared: string, reported: string]>([
    ["INTEGER", "BIGINT"],
    ["INTEGER", "DECIMAL(9,2)"],
    ["INTEGER", "DOUBLE"],
    ["BOOLEAN", "INTEGER"],
    ["VARCHAR", "INTEGER"],
    ["DATE", "TIMESTAMP"],
    ["TIMESTAMP", "TIMESTAMPTZ"],
    ["DECIMAL(10,2)", "DECIMAL(10,3)"],
    ["REAL", "DOUBLE"],
    ["BYTEA", "VARCHAR"],
    ["INTEGER[]", "BIGINT[]"],
    ["VARCHAR", "JSON"],
  ])("%s and %s", (declared, reported) => {
    expect(differences({ name: "x", type: declared }, { name: "x", type: reported })).toEqual([
      { model: "m", column: "x", declared, reported },
    ]);
  });

  test("a column of another name, in capitals or between quotes", () => {
    const reported = { name: "x", type: "BIGINT", expression: '"Order Id"' };
    expect(differences({ name: "order", type: "TEXT", expression: '"Order Id"' }, reported)).toHaveLength(1);
    expect(differences({ name: "X", type: "TEXT" }, { name: "x", type: "BIGINT" })).toHaveLength(1);
  });
});
