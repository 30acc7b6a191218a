/** DuckDB in the sidecar: what an engine per request costs, and how fast rows come out at each stage on their way. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openDuckDb } from "../../sidecar/duckdb/connector.ts";
import { openFileRoot } from "../../sidecar/duckdb/file-root.ts";
import type { ConnectionInfo } from "../../src/connectors/connection/connection-info.ts";
import { parseLocalFileConnection } from "../../src/connectors/connection/local-file.ts";
import type { CallOptions, Connector } from "../../src/connectors/connector.ts";
import { nodeSidecar } from "../../src/connectors/node-sidecar/node-sidecar.ts";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { type Statement, statementOf } from "../../src/planner/plan.ts";
import { frameStream } from "../../src/result/encode/frames/writer.ts";
import type { ResultStream } from "../../src/result/types.ts";
import { distribution, mebibytes, milliseconds, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { type Call, read } from "../rig/http-client.ts";
import { ALL_ROWS, COLUMNS, ROWS, readingsManifest, writeParquet } from "../rig/readings.ts";
import { startSidecar } from "../rig/sidecar.ts";
import { startWorkerd } from "../rig/workerd.ts";
import type { Run, Section } from "../subject.ts";

const CALLS = 60;
const WARM_UP_CALLS = 10;
const STREAMS = 3;
const SETTINGS = { memory: "1GB", threads: 2 } as const;
const MANIFEST = readingsManifest({ table: "readings.parquet" });

export async function fileEngine(run: Run): Promise<Section> {
  const directory = join(run.directory, "files");
  mkdirSync(directory);
  await writeParquet(join(directory, "readings.parquet"));
  const { info } = parseLocalFileConnection({ url: "/", format: "parquet" });
  const settings = { ...SETTINGS, root: await openFileRoot(directory), temporaryDirectory: run.directory };
  const sidecar = await startSidecar(run, { FILE_ROOT: directory });
  const open = nodeSidecar({ ...sidecar, connectTimeoutMs: 10_000, fetch });
  const worker = await startWorkerd(run, [
    {
      name: "main",
      file: run.bundle.file,
      variables: { AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: sidecar.secret },
    },
  ]);
  const here = (): Promise<Connector> => openDuckDb(info, settings);
  const there = (connection: ConnectionInfo) => (): Promise<Connector> =>
    open(connection, { signal: new AbortController().signal, correlationId: "bench" });
  const request = (sql: string): Call => ({
    url: `${worker.urls["main"]}/v3/connector/local_file/query`,
    body: JSON.stringify({ sql, manifestStr: MANIFEST, connectionInfo: { url: "/", format: "parquet" } }),
  });

  const one = planned("SELECT id FROM readings WHERE id = 4711");
  const calls: readonly (readonly [string, readonly number[]])[] = [
    ["a bare DuckDB: open, connect, `SELECT 1`, close", await times(bareEngine)],
    ["`SELECT 1` on a DuckDB that is open", await onOpenEngine()],
    ["the connector: engine, fences, view, one row, close", await times(() => answer(here, one))],
    ["the same in the sidecar, over signed HTTP", await times(() => answer(there(info), one))],
    [
      "the same through the Worker, as JSON",
      await times(() => read(request("SELECT id FROM readings WHERE id = 4711"))),
    ],
  ];

  const all = planned(ALL_ROWS);
  const streams: readonly (readonly [string, Streamed])[] = [
    ["the engine alone (`count` and `max` of every column)", await fastest(() => scan(here))],
    ["the connector: canonical rows", await fastest(() => rowsOf(here, all))],
    ["the connector, as frames", await fastest(() => framesOf(here, all))],
    ["the sidecar over HTTP, frames read back into rows", await fastest(() => rowsOf(there(info), all))],
    ["the Worker, as JSON", await fastest(async () => ({ bytes: (await read(request(ALL_ROWS))).bytes }))],
  ];
  return {
    title: "DuckDB in the sidecar",
    budgets: [],
    text: [
      `Every request gets an engine of its own, so that nothing of one caller can be seen by the next. ${CALLS} calls one after the other, ${WARM_UP_CALLS} before them that do not count; \`WHERE id = 4711\` on a Parquet file of ${whole(ROWS)} rows. Milliseconds.`,
      table(
        ["What is done", "p50", "p99"],
        calls.map(([what, samples]) => {
          const { p50, p99 } = distribution(samples);
          return [what, milliseconds(p50), milliseconds(p99)];
        }),
      ),
      `\`${ALL_ROWS}\`: ${whole(ROWS)} rows × ${COLUMNS} columns to a reader that takes what comes, fastest of ${STREAMS}, ${SETTINGS.threads} threads for the engine.`,
      table(
        ["Up to here", "rows per second", "seconds", "MiB"],
        streams.map(([what, { seconds, bytes }]) => [
          what,
          whole(ROWS / seconds),
          seconds.toFixed(2),
          bytes === undefined ? "" : mebibytes(bytes),
        ]),
      ),
      "Not shown: several statements at once, which share the threads of the machine and wait for a place beyond `DUCKDB_STATEMENTS`; files that are not in the system's cache.",
    ].join("\n\n"),
  };
}

function options(): CallOptions {
  return { signal: new AbortController().signal, timeoutMs: 60_000, isolation: "bench" };
}

function planned(sql: string): Statement {
  const manifest = loadManifest(MANIFEST, 1 << 20);
  if (!manifest.ok) throw manifest.error;
  const outcome = plan({
    sql,
    manifest: manifest.value,
    source: "local_file",
    session: new Map(),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  if (!outcome.ok) throw outcome.error;
  return statementOf(outcome.value);
}

async function times(work: () => Promise<unknown>): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let call = -WARM_UP_CALLS; call < CALLS; call++) {
    const started = performance.now();
    await work();
    if (call >= 0) samples.push(performance.now() - started);
  }
  return samples;
}

async function bareEngine(): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(SETTINGS.threads) });
  const connection = await instance.connect();
  await connection.run("SELECT 1");
  connection.closeSync();
  instance.closeSync();
}

async function onOpenEngine(): Promise<readonly number[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(SETTINGS.threads) });
  const connection = await instance.connect();
  const samples = await times(() => connection.run("SELECT 1"));
  connection.closeSync();
  instance.closeSync();
  return samples;
}

async function using<T>(
  open: () => Promise<Connector>,
  statement: Statement,
  work: (stream: ResultStream) => Promise<T>,
): Promise<T> {
  const connector = await open();
  try {
    return await work(await connector.query(statement, options()));
  } finally {
    await connector.close();
  }
}

async function countRows(stream: ResultStream): Promise<number> {
  let rows = 0;
  for await (const batch of stream.batches) rows += batch.length;
  return rows;
}

function answer(open: () => Promise<Connector>, statement: Statement): Promise<number> {
  return using(open, statement, countRows);
}

interface Streamed {
  readonly seconds: number;
  readonly bytes: number | undefined;
}

async function fastest(work: () => Promise<{ readonly bytes?: number }>): Promise<Streamed> {
  let best: Streamed = { seconds: Number.POSITIVE_INFINITY, bytes: undefined };
  for (let stream = 0; stream < STREAMS; stream++) {
    const started = performance.now();
    const { bytes } = await work();
    const seconds = (performance.now() - started) / 1000;
    if (seconds < best.seconds) best = { seconds, bytes };
  }
  return best;
}

/** Reads every column without making a row of any. */
async function scan(open: () => Promise<Connector>): Promise<{ readonly bytes?: number }> {
  const columns = ["id", "big", "price", "ratio", "flag", "name", "comment", "day", "happened", "seen"];
  const statement = planned(`SELECT count(*), ${columns.map((name) => `max(${name})`).join(", ")} FROM readings`);
  await answer(open, statement);
  return {};
}

async function rowsOf(open: () => Promise<Connector>, statement: Statement): Promise<{ readonly bytes?: number }> {
  const rows = await answer(open, statement);
  if (rows !== ROWS) throw new Error(`${rows} rows came.`);
  return {};
}

function framesOf(open: () => Promise<Connector>, statement: Statement): Promise<{ readonly bytes?: number }> {
  return using(open, statement, async (stream) => {
    let bytes = 0;
    const frames = frameStream({ kind: "result", stream }, { describeFailure: () => ({}) });
    for await (const chunk of frames as AsyncIterable<Uint8Array>) bytes += chunk.length;
    return { bytes };
  });
}
