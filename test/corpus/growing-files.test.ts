/**
 * Directories of files as people keep them: typed and ragged CSV, and Parquet that grows between two questions, with columns that
 * only later files have. Each question has its answer here, and native DuckDB in the sidecar's process gives it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseLocalFileConnection } from "../../src/connectors/connection/local-file.ts";
import { ask } from "../parity/judge.ts";
import { openDuckDbIn } from "../support/duckdb.ts";
import { manifestOf } from "../support/plan.ts";
import type { OpenedSource } from "../support/sources.ts";

let root: string;
let opened: OpenedSource;
let instance: DuckDBInstance;
let duckdb: DuckDBConnection;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "siskin-growing-"));
  opened = await openDuckDbIn(root, parseLocalFileConnection({ url: "/", format: "parquet" }).info);
  instance = await DuckDBInstance.create(":memory:");
  duckdb = await instance.connect();
});

afterAll(async () => {
  await opened?.close();
  duckdb?.closeSync();
  instance?.closeSync();
  rmSync(root, { recursive: true, force: true });
});

async function answer(sql: string, table: string, types: Readonly<Record<string, string>>): Promise<unknown> {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  const manifest = manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table }, columns }],
  });
  const given = await ask(sql, manifest, "local_file", opened);
  return "rows" in given ? given.rows : given.detail;
}

function write(name: string, ...lines: readonly string[]): void {
  const path = join(root, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}

async function append(name: string, query: string): Promise<void> {
  const path = join(root, name);
  mkdirSync(join(path, ".."), { recursive: true });
  await duckdb.run(`COPY (${query}) TO '${path}'`);
}

describe("typed CSV", () => {
  const types = { code: "VARCHAR", day: "DATE", price: "DECIMAL(8,2)", paid: "BOOLEAN", note: "VARCHAR" };
  const table = "typed/orders.csv";

  beforeAll(() =>
    write(
      table,
      "code,day,price,paid,note",
      "007,2024-02-29,1.50,true,plain",
      '0007,2024-03-01,10,false,"a, b"',
      '7,2023-12-31,,true,"says ""yes"""',
      "1e3,2024-01-01,0.05,false,",
    ),
  );

  test.each<[sql: string, rows: unknown]>([
    ["SELECT code FROM t ORDER BY code", [["0007"], ["007"], ["1e3"], ["7"]]],
    ["SELECT sum(price) AS total, count(price) AS n FROM t", [["11.55", 3n]]],
    ["SELECT code FROM t WHERE day >= DATE '2024-01-01' AND NOT paid ORDER BY day", [["1e3"], ["0007"]]],
    ["SELECT note FROM t WHERE code IN ('0007', '7') ORDER BY code", [["a, b"], ['says "yes"']]],
    [
      "SELECT extract(year FROM day) AS y, count(*) AS n FROM t GROUP BY 1 ORDER BY 1",
      [
        [2023n, 1n],
        [2024n, 3n],
      ],
    ],
  ])("%s", async (sql, rows) => {
    expect(await answer(sql, table, types)).toEqual(rows);
  });
});

test.each([
  ["a line has too few values", "2"],
  ["a line has too many values", "2,b,c"],
])("ragged CSV: %s", async (what, line) => {
  const table = `ragged/${what.replaceAll(" ", "-")}.csv`;
  write(table, "id,name", "1,a", line, "3,c");
  const told = await answer("SELECT id, name FROM t ORDER BY id", table, { id: "INTEGER", name: "VARCHAR" });
  expect(told).toContain(table.replace("ragged/", ""));
  expect(told).toMatch(/line 3/i);
});

describe("growing Parquet", () => {
  const table = "growing/*.parquet";
  const types = { id: "BIGINT", amount: "DOUBLE", channel: "VARCHAR" };
  const total = "SELECT count(*) AS n, sum(amount) AS total, count(channel) AS channels FROM t";

  test("a file that is added between two questions is in the second answer", async () => {
    await append("growing/2024-01.parquet", "SELECT 1::BIGINT AS id, 10::DOUBLE AS amount");
    expect(await answer(total, table, types)).toEqual([[1n, 10, 0n]]);
    await append("growing/2024-02.parquet", "SELECT 2::BIGINT AS id, 5::DOUBLE AS amount, 'web' AS channel");
    expect(await answer(total, table, types)).toEqual([[2n, 15, 1n]]);
  });

  test("a column that later files have is NULL in the others, in whatever order the files are", async () => {
    await append("growing/2023-12.parquet", "SELECT 'shop' AS channel, 0::BIGINT AS id, 1::DOUBLE AS amount");
    expect(await answer("SELECT id, channel FROM t ORDER BY id", table, types)).toEqual([
      [0n, "shop"],
      [1n, null],
      [2n, "web"],
    ]);
    expect(await answer("SELECT id FROM t WHERE channel IS NULL", table, types)).toEqual([[1n]]);
  });

  test("a later file with another type is read by the declared one, or names the file", async () => {
    await append("growing/2024-03.parquet", "SELECT 3::INTEGER AS id, 2::INTEGER AS amount, 'web' AS channel");
    expect(await answer(total, table, types)).toEqual([[4n, 18, 3n]]);
    await append("growing/2024-04.parquet", "SELECT 4::BIGINT AS id, 'much' AS amount, 'web' AS channel");
    expect(await answer(total, table, types)).toMatch(/2024-04\.parquet.*amount|amount.*2024-04\.parquet/s);
  });
});
