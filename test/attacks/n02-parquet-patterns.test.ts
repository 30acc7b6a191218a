/** Parquet files of one pattern whose schemas differ are read by the types of the model. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { calling, connectTo, type Playground, playground, rowsOf } from "../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../support/plan.ts";

type Columns = Readonly<Record<string, string>>;

const FILES: Readonly<Record<string, string>> = {
  "numbers/a.parquet": "SELECT 1 AS id, 2::INTEGER AS v",
  "numbers/b.parquet": "SELECT 2 AS id, 3.5::DOUBLE AS v",
  "decimals/a.parquet": "SELECT 1 AS id, 1.50::DECIMAL(5,2) AS v",
  "decimals/b.parquet": "SELECT 2 AS id, 123456.25::DECIMAL(12,2) AS v",
  "days/a.parquet": "SELECT 1 AS id, DATE '2024-01-02' AS v",
  "days/b.parquet": "SELECT 2 AS id, TIMESTAMP '2024-01-03 04:05:06' AS v",
  "some/a.parquet": "SELECT 1 AS id",
  "some/b.parquet": "SELECT 2 AS id, 'x' AS v",
  "order/a.parquet": "SELECT 1 AS id, 'x' AS v",
  "order/b.parquet": "SELECT 'y' AS v, 2 AS id",
  "texts/a.parquet": "SELECT 1 AS id, 7 AS v",
  "texts/b.parquet": "SELECT 2 AS id, 'abc' AS v",
  "null/year=2024/a.parquet": "SELECT 1 AS id",
  "null/year=__HIVE_DEFAULT_PARTITION__/a.parquet": "SELECT 2 AS id",
  "one.parquet": "SELECT 1 AS id",
};

let ground: Playground;
const connectors: Record<string, Connector> = {};
beforeAll(async () => {
  ground = playground();
  const directory = mkdtempSync(join(tmpdir(), "siskin-parquet-"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const [name, sql] of Object.entries(FILES)) {
    await connection.run(`COPY (${sql}) TO '${directory}/file' (FORMAT parquet)`);
    ground.write(name, readFileSync(join(directory, "file")));
  }
  connection.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true });
  connectors.sidecar = await connectTo(ground);
  connectors.worker = await openOver(ground.root, "parquet");
});
afterAll(async () => {
  await Promise.all(Object.values(connectors).map((each) => each.close()));
  ground.remove();
});

/** The rows, or reason and message of the failure. */
async function answer(place: string, path: string, columns: Columns, sql: string, isRuled: boolean): Promise<string> {
  const model = {
    name: "t",
    tableReference: { table: path },
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    ...(isRuled && {
      rowLevelAccessControls: [{ name: "all", requiredProperties: [], condition: "id = id OR id IS NULL" }],
    }),
  };
  const plan = planned(sql, manifestOf({ catalog: "c", schema: "s", models: [model] }));
  try {
    const rows = await rowsOf(await connectors[place]!.query(statementOf(plan), calling()));
    return JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  } catch (error) {
    if (error instanceof ConnectorFailure) return `${error.reason} ${error.message}`;
    throw error;
  }
}

describe.each([false, true])("with a rule that excludes nothing: %s", (isRuled) => {
  test.each<readonly [what: string, path: string, columns: Columns, sql: string, expected: string]>([
    ["integers, then doubles", "numbers/*.parquet", { id: "INTEGER", v: "DOUBLE" }, "SELECT sum(v) FROM t", "[[5.5]]"],
    [
      "decimals of different precision",
      "decimals/*.parquet",
      { id: "INTEGER", v: "DECIMAL(12,2)" },
      "SELECT v FROM t ORDER BY v",
      '[["1.50"],["123456.25"]]',
    ],
    [
      "dates, then timestamps",
      "days/*.parquet",
      { id: "INTEGER", v: "TIMESTAMP" },
      "SELECT CAST(v AS VARCHAR) FROM t ORDER BY v",
      '[["2024-01-02 00:00:00"],["2024-01-03 04:05:06"]]',
    ],
    [
      "a column that only some files have",
      "some/*.parquet",
      { id: "INTEGER", v: "VARCHAR" },
      "SELECT id, v FROM t ORDER BY id",
      '[[1,null],[2,"x"]]',
    ],
    [
      "columns in another order",
      "order/*.parquet",
      { id: "INTEGER", v: "VARCHAR" },
      "SELECT id, v FROM t ORDER BY id",
      '[[1,"x"],[2,"y"]]',
    ],
    [
      "a column that no file has",
      "numbers/*.parquet",
      { id: "INTEGER", more: "DATE" },
      "SELECT count(*), count(more) FROM t",
      'COLUMN_NOT_FOUND No file of "numbers/*.parquet" has the column "more", which the manifest declares.',
    ],
    [
      "a column that the only file lacks",
      "one.parquet",
      { id: "INTEGER", more: "DATE" },
      "SELECT id, more FROM t",
      'COLUMN_NOT_FOUND The file "one.parquet" has no column "more", which the manifest declares.',
    ],
    [
      "integers declared as texts",
      "texts/*.parquet",
      { id: "INTEGER", v: "VARCHAR" },
      "SELECT v FROM t ORDER BY v",
      '[["7"],["abc"]]',
    ],
    [
      "the directory of NULL",
      "null/*/*.parquet",
      { id: "INTEGER", year: "INTEGER" },
      "SELECT id, year FROM t WHERE year IS NULL",
      "[[2,null]]",
    ],
  ])("%s", async (_what, path, columns, sql, expected) => {
    expect(await answer("sidecar", path, columns, sql, isRuled)).toBe(expected);
    const worker = await answer("worker", path, columns, sql, isRuled);
    if (!worker.startsWith("NEEDS_SIDECAR")) expect(worker).toBe(expected);
  });

  test.each<readonly [what: string, path: string, type: string, expected: RegExp]>([
    [
      "a fraction that is declared an integer",
      "numbers/*.parquet",
      "INTEGER",
      /: "numbers\/b\.parquet": "3\.5" in the column "v" is no INTEGER/,
    ],
    [
      "a text that is declared an integer",
      "texts/*.parquet",
      "INTEGER",
      /: "texts\/b\.parquet": "abc" in the column "v" is no INTEGER/,
    ],
    [
      "a time that a date would lose",
      "days/*.parquet",
      "DATE",
      /: "days\/b\.parquet": "2024-01-03 04:05:06" in the column "v" is no DATE/,
    ],
  ])("%s is an error that names file and column", async (_what, path, type, expected) => {
    const columns = { id: "INTEGER", v: type };
    expect(await answer("sidecar", path, columns, "SELECT v FROM t", isRuled)).toMatch(expected);
    expect(await answer("worker", path, columns, "SELECT v FROM t", isRuled)).toMatch(/^NEEDS_SIDECAR/);
  });
});
