/**
 * Directories of files as people keep them: typed and ragged CSV, and Parquet that grows between two questions, with columns that
 * only later files have. Each question has its answer here, given by native DuckDB over a directory, by the files Worker's engine over
 * the same directory, and by that engine over a bucket with the same objects. What the Worker leaves to the sidecar is listed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseLocalFileConnection } from "../../src/connectors/connection/local-file.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openBucketInWasm } from "../../src/connectors/duckdb-wasm/bucket.ts";
import type { BucketConnection } from "../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../src/connectors/sources.ts";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { engineInNode } from "../connectors/duckdb-wasm/engine-in-node.ts";
import { ask } from "../parity/judge.ts";
import { openDuckDbIn } from "../support/duckdb.ts";
import { manifestOf } from "../support/plan.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import type { OpenedSource } from "../support/sources.ts";

let root: string;
let server: S3Server;
const places: Record<string, OpenedSource> = {};
let closes: (() => Promise<void>)[] = [];
let instance: DuckDBInstance;
let duckdb: DuckDBConnection;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "siskin-growing-"));
  server = await startS3Server();
  const opened = await openDuckDbIn(root, parseLocalFileConnection({ url: "/", format: "parquet" }).info);
  const { info } = parseConnection("minio_file", server.connectionInfo({ format: "parquet" }));
  const bucket = { engine: await engineInNode(), footers: new FooterCache(0), fetch };
  places["native DuckDB"] = opened;
  places["the files Worker"] = inWasm(await openOver(root, "parquet"));
  places["the files Worker over a bucket"] = inWasm(openBucketInWasm(info as BucketConnection, bucket));
  closes = [
    opened.close,
    ...Object.values(places).map(
      ({ connector }) =>
        () =>
          connector.close(),
    ),
    server.close,
  ];
  instance = await DuckDBInstance.create(":memory:");
  duckdb = await instance.connect();
});

afterAll(async () => {
  for (const close of closes) await close();
  duckdb?.closeSync();
  instance?.closeSync();
  rmSync(root, { recursive: true, force: true });
});

const inWasm = (connector: Connector): OpenedSource => ({ connector, close: () => connector.close() });

/** The files Worker leaves Parquet files to the sidecar whose columns differ. */
const LEFT = /^The files Worker does not read of "growing-/;
const isLeft = (place: string, told: unknown): boolean => place !== "native DuckDB" && LEFT.test(String(told));

async function answer(
  place: string,
  sql: string,
  table: string,
  types: Readonly<Record<string, string>>,
): Promise<unknown> {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  const manifest = manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table }, columns }],
  });
  const opened = places[place] as OpenedSource;
  const given = await ask(sql, manifest, "local_file", opened);
  return "rows" in given ? given.rows : given.detail;
}

function write(name: string, ...lines: readonly string[]): void {
  const path = join(root, name);
  mkdirSync(join(path, ".."), { recursive: true });
  const text = `${lines.join("\n")}\n`;
  writeFileSync(path, text);
  server.objects.set(name, Buffer.from(text));
}

async function append(name: string, query: string): Promise<void> {
  const path = join(root, name);
  mkdirSync(join(path, ".."), { recursive: true });
  await duckdb.run(`COPY (${query}) TO '${path}'`);
  server.objects.set(name, readFileSync(path));
}

const PLACES = ["native DuckDB", "the files Worker", "the files Worker over a bucket"] as const;

describe.each(PLACES)("typed CSV by %s", (place) => {
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
    expect(await answer(place, sql, table, types)).toEqual(rows);
  });
});

test.each(
  PLACES.flatMap((place) => [
    ["a line has too few values", "2", place] as const,
    ["a line has too many values", "2,b,c", place] as const,
  ]),
)("ragged CSV: %s (%s, by %s)", async (what, line, place) => {
  const table = `ragged/${what.replaceAll(" ", "-")}.csv`;
  write(table, "id,name", "1,a", line, "3,c");
  const told = await answer(place, "SELECT id, name FROM t ORDER BY id", table, { id: "INTEGER", name: "VARCHAR" });
  expect(told).toContain(table.replace("ragged/", ""));
  expect(told).toMatch(/line 3/i);
});

describe.each(PLACES)("growing Parquet by %s", (place) => {
  const folder = `growing-${PLACES.indexOf(place)}`;
  const table = `${folder}/*.parquet`;
  const types = { id: "BIGINT", amount: "DOUBLE", channel: "VARCHAR" };
  const total = "SELECT count(*) AS n, sum(amount) AS total, count(channel) AS channels FROM t";

  const asked = (sql: string) => answer(place, sql, table, types);

  test("a file that is added between two questions is in the second answer", async () => {
    await append(`${folder}/2024-01.parquet`, "SELECT 1::BIGINT AS id, 10::DOUBLE AS amount");
    expect(await asked("SELECT count(*) AS n, sum(amount) AS total FROM t")).toEqual([[1n, 10]]);
    expect(await asked(total)).toMatch(/^No file of "growing-\d\/\*\.parquet" has the column "channel"/);
    await append(`${folder}/2024-02.parquet`, "SELECT 2::BIGINT AS id, 5::DOUBLE AS amount, 'web' AS channel");
    expect(await asked("SELECT count(*) AS n, sum(amount) AS total FROM t")).toEqual([[2n, 15]]);
    const told = await asked(total);
    if (!isLeft(place, told)) expect(told).toEqual([[2n, 15, 1n]]);
  });

  test("a column that later files have is NULL in the others, in whatever order the files are", async () => {
    await append(`${folder}/2023-12.parquet`, "SELECT 'shop' AS channel, 0::BIGINT AS id, 1::DOUBLE AS amount");
    const rows = await asked("SELECT id, channel FROM t ORDER BY id");
    if (isLeft(place, rows)) return;
    expect(rows).toEqual([
      [0n, "shop"],
      [1n, null],
      [2n, "web"],
    ]);
    expect(await asked("SELECT id FROM t WHERE channel IS NULL")).toEqual([[1n]]);
  });

  test("a later file with another type is read by the declared one, or names the file", async () => {
    await append(`${folder}/2024-03.parquet`, "SELECT 3::INTEGER AS id, 2::INTEGER AS amount, 'web' AS channel");
    const sum = await asked(total);
    if (!isLeft(place, sum)) expect(sum).toEqual([[4n, 18, 3n]]);
    await append(`${folder}/2024-04.parquet`, "SELECT 4::BIGINT AS id, 'much' AS amount, 'web' AS channel");
    const told = await asked(total);
    if (!isLeft(place, told)) expect(told).toMatch(/2024-04\.parquet.*amount|amount.*2024-04\.parquet/s);
  });
});
