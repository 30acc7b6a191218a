/** A Parquet file in a bucket: its first answer and the next ones, and what is read of it, in the files Worker and in the sidecar. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { unstable_startWorker } from "wrangler";
import { writeEngineParts } from "../../scripts/service/engine-parts.ts";
import { parseMinioFileConnection } from "../../src/connectors/connection/minio-file.ts";
import { nodeSidecar } from "../../src/connectors/node-sidecar/node-sidecar.ts";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { type Statement, statementOf } from "../../src/planner/plan.ts";
import type { FilesAnswer, FilesCall } from "../../test/connectors/duckdb-wasm/worker.ts";
import { type S3Server, startS3Server } from "../../test/support/s3-server.ts";
import { distribution, mebibytes, milliseconds, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { ROWS, readingsManifest, writeParquet } from "../rig/readings.ts";
import { startSidecar } from "../rig/sidecar.ts";
import type { Run, Section } from "../subject.ts";

const CALLS = 20;
const FILE = "readings.parquet";
const COLUMNS = ["id", "big", "price", "ratio", "day"];

const QUESTIONS = {
  "one row by its number": "SELECT price FROM readings WHERE id = 4711",
  "a column of all rows, answered": "SELECT id FROM readings",
  "two columns of all rows": "SELECT day, max(big) AS most FROM readings GROUP BY day ORDER BY most DESC LIMIT 5",
} as const;

/** Answers one statement; how many rows came. */
type Way = (statement: Statement) => Promise<number>;

interface Measured {
  readonly cold: number;
  readonly warm: readonly number[];
  /** Bytes read from the store, by the first answer and by a later one. */
  readonly coldBytes: number;
  readonly warmBytes: number;
}

export async function buckets(run: Run): Promise<Section> {
  const store = await startS3Server();
  run.onEnd(() => store.close());
  const file = join(run.directory, FILE);
  await writeFive(file, run.directory);
  store.objects.set(FILE, readFileSync(file));
  const size = statSync(file).size;

  const rows: (readonly string[])[] = [];
  for (const [what, sql] of Object.entries(QUESTIONS)) {
    const statement = planned(sql);
    for (const [name, open] of Object.entries({ "files Worker": filesWorker, sidecar })) {
      const { way, close } = await open(run, store);
      try {
        rows.push(rowOf(`${what}, ${name}`, await measuredBy(() => way(statement), store), size));
      } finally {
        await close();
      }
    }
    rows.push(rowOf(`${what}, native DuckDB and its httpfs`, await overHttpfs(run, store, sql), size));
    rows.push(rowOf(`${what}, native DuckDB over the file on a disk`, await native(file, sql), size));
  }
  return {
    title: "A Parquet file in a bucket",
    budgets: [],
    text: [
      `${whole(ROWS)} rows × ${COLUMNS.length} columns, ${mebibytes(size)} MiB, in a store on the same machine. *First*: by a files Worker whose isolate, or a sidecar whose process, has just started and has asked nothing yet; its engine is started by it. *Next*: the median of ${CALLS}, one after the other. *Read*: bytes of the file that went out of the store.`,
      table(["What is asked, and of whom", "first, ms", "next, ms", "first reads", "next read", "of the file"], rows),
      "The files Worker stands here as its tests have it: the connector and its engine in workerd behind wrangler's proxy, which writes all rows as one text of JSON; the sidecar's come in frames. `httpfs` (from PyPI, no part of Siskin) keeps what it has read in its engine, which here is that of one caller and stays open. Not shown: the file system over HTTP of DuckDB's WASM, whose reader of Parquet is an extension from a host of DuckDB's, and which reads by synchronous requests that workerd has not; a store that is far away, where each request costs its way.",
    ].join("\n\n"),
  };
}

async function writeFive(file: string, directory: string): Promise<void> {
  const all = join(directory, "all.parquet");
  await writeParquet(all);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT ${COLUMNS.join(", ")} FROM '${all}') TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

function planned(sql: string): Statement {
  const manifest = loadManifest(readingsManifest({ table: FILE }), 1 << 20);
  if (!manifest.ok) throw manifest.error;
  const outcome = plan({
    sql,
    manifest: manifest.value,
    source: "minio_file",
    session: new Map(),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  if (!outcome.ok) throw outcome.error;
  return statementOf(outcome.value);
}

/** `ask`: how many rows came. */
async function measuredBy(ask: () => Promise<number>, store: S3Server): Promise<Measured> {
  store.bytes = 0;
  const cold = await timed(ask);
  const coldBytes = store.bytes;
  store.bytes = 0;
  const warm: number[] = [];
  for (let call = 0; call < CALLS; call++) warm.push(await timed(ask));
  return { cold, warm, coldBytes, warmBytes: store.bytes / CALLS };
}

async function timed(work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  if ((await work()) === 0) throw new Error("No rows came.");
  return performance.now() - started;
}

function rowOf(what: string, { cold, warm, coldBytes, warmBytes }: Measured, size: number): readonly string[] {
  const share = coldBytes === 0 ? "" : `${((100 * coldBytes) / size).toFixed(1)} %`;
  const read = (bytes: number): string => (coldBytes === 0 ? "" : `${whole(bytes / 1024)} KiB`);
  return [what, milliseconds(cold), milliseconds(distribution(warm).p50), read(coldBytes), read(warmBytes), share];
}

interface Opened {
  readonly way: Way;
  close(): Promise<unknown>;
}

async function filesWorker(_run: Run, store: S3Server): Promise<Opened> {
  await writeEngineParts();
  const worker = await unstable_startWorker({
    config: fileURLToPath(new URL("../../test/connectors/duckdb-wasm/wrangler.toml", import.meta.url)),
    dev: {
      // Other processes write the engine's parts, too; a reload would end the requests that run.
      watch: false,
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      logLevel: "none",
    },
  });
  await worker.ready;
  const url = await worker.url;
  // Until wrangler has built it, which nobody waits for in production; no engine is started by it.
  await fetch(url);
  const connectionInfo = store.connectionInfo({ format: "parquet" });
  return {
    way: async ({ sql, reads }) => {
      const scans = reads.flatMap((read) => read.scans ?? []);
      const call: FilesCall = { connectionInfo, names: [FILE], sql, scans, keepsFooters: true, isolation: "bench" };
      const response = await fetch(url, { method: "POST", body: JSON.stringify(call) });
      const answer = (await response.json()) as FilesAnswer;
      if (!answer.ok) throw new Error(answer.message);
      return (answer.rows as readonly unknown[]).length;
    },
    close: () => worker.dispose(),
  };
}

async function sidecar(run: Run, store: S3Server): Promise<Opened> {
  const started = await startSidecar(run, { ALLOWED_HOSTS: "127.0.0.1" });
  const { info } = parseMinioFileConnection(store.connectionInfo({ format: "parquet" }));
  const open = nodeSidecar({ ...started, connectTimeoutMs: 10_000, fetch });
  return {
    way: async (statement) => {
      const { signal } = new AbortController();
      const connector = await open(info, { signal, correlationId: "bench" });
      const { batches } = await connector.query(statement, { signal, timeoutMs: 60_000, isolation: "bench" });
      let rows = 0;
      for await (const batch of batches) rows += batch.length;
      await connector.close();
      return rows;
    },
    close: async () => process.kill(started.pid),
  };
}

/** The release of `duckdb-extension-httpfs` on PyPI for the engine's version. */
const HTTPFS = "duckdb-extension-httpfs==1.4.4";

function httpfsExtension(directory: string): string {
  const target = join(directory, "httpfs");
  const options = ["--quiet", "--no-deps", "--only-binary=:all:", "--root-user-action=ignore", "--target", target];
  execFileSync("python3", ["-m", "pip", "install", ...options, HTTPFS], { stdio: ["ignore", 2, 2] });
  const [extension] = globSync(join(target, "duckdb_extension_httpfs/extensions/*/httpfs.duckdb_extension"));
  if (extension === undefined) throw new Error(`${HTTPFS} has no extension for this machine.`);
  return extension;
}

/** The first answer is that of an engine that has loaded it. */
async function overHttpfs(run: Run, store: S3Server, sql: string): Promise<Measured> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    await connection.run(`LOAD '${httpfsExtension(run.directory)}'`);
    await connection.run(
      `CREATE SECRET (TYPE s3, KEY_ID '${store.keys.access}', SECRET '${store.keys.secret}', ENDPOINT '${store.endpoint}', URL_STYLE 'path', USE_SSL false, REGION 'us-east-1')`,
    );
    const text = sql.replace("readings", `'s3://${store.bucket}/${FILE}'`);
    return await measuredBy(async () => (await connection.runAndReadAll(text)).currentRowCount, store);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** An engine that is open, asked for a file that the system has in its cache. */
async function native(file: string, sql: string): Promise<Measured> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const ask = (): Promise<number> =>
    timed(async () => {
      const reader = await connection.runAndReadAll(sql.replace("readings", `'${file}'`));
      return reader.currentRowCount;
    });
  const cold = await ask();
  const warm: number[] = [];
  for (let call = 0; call < CALLS; call++) warm.push(await ask());
  connection.closeSync();
  instance.closeSync();
  return { cold, warm, coldBytes: 0, warmBytes: 0 };
}
