/**
 * All that an isolate holds while the engine works in it: what its debugger tells, and the engine's own memory, which that does not
 * count. Cloudflare ends an isolate beyond 128 MB; workerd does not.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unstable_startWorker } from "wrangler";
import { writeEngineParts } from "../../../scripts/service/engine-parts.ts";
import { makeWith } from "../../sidecar/duckdb/fixtures.ts";
import { type Inspector, inspect } from "../../support/inspector.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import type { FilesAnswer, FilesCall } from "./worker.ts";

const MOST_BYTES = 128 * 1024 * 1024;
const LOOK_EVERY_MS = 20;

let server: S3Server;
let worker: Awaited<ReturnType<typeof unstable_startWorker>>;
let inspector: Inspector;

beforeAll(async () => {
  server = await startS3Server();
  await makeObjects();
  await writeEngineParts();
  const loopback = { hostname: "127.0.0.1", port: 0 };
  worker = await unstable_startWorker({
    config: fileURLToPath(new URL("./wrangler.toml", import.meta.url)),
    dev: {
      // Other processes write the engine's parts, too; a reload would end the requests that run.
      watch: false,
      server: loopback,
      inspector: loopback,
      logLevel: "none",
    },
  });
  await worker.ready;
  await worker.fetch("http://files/");
  const address = new URL("ws", await worker.inspectorUrl);
  address.protocol = "ws:";
  inspector = await inspect(address.href);
}, 120_000);
afterAll(async () => {
  inspector?.close();
  await worker?.dispose();
  await server?.close();
});

async function makeObjects(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-memory-"));
  const rows = (count: number, text: string): string =>
    `SELECT i AS n, i % 1000 AS k, ${text} AS text FROM range(${count}) t(i)`;
  const files: Readonly<Record<string, readonly [rows: string, options: string]>> = {
    "large.parquet": [rows(300_000, "'text ' || i % 10"), "FORMAT parquet, ROW_GROUP_SIZE 40960"],
    "long.parquet": ["SELECT i AS n FROM range(1000000) t(i)", "FORMAT parquet"],
    "large.csv": [rows(900_000, "md5(i::varchar)"), "FORMAT csv"],
    "large.ndjson": [rows(80_000, "'text ' || md5(i::varchar)"), "FORMAT json"],
  };
  try {
    await makeWith(
      Object.entries(files).map(([name, [sql, options]]) => `COPY (${sql}) TO '${directory}/${name}' (${options})`),
    );
    for (const name of Object.keys(files)) server.objects.set(name, readFileSync(join(directory, name)));
  } finally {
    rmSync(directory, { recursive: true });
  }
  server.objects.set("large.csv.gz", gzipSync(server.objects.get("large.csv") ?? "", { level: 1 }));
  for (let n = 0; n < 9_999; n++)
    server.objects.set(`many/as-long-as-names-often-are/part-${n}.csv`, Buffer.from("n\n1\n"));
}

let calls = 0;

/** By another caller than the call before, so that each begins with an instance of its own, and with a spare beside it. */
async function ask(
  sql: string,
  name: string,
  columns: readonly string[] = ["n", "k", "text"],
  isolation = `caller ${calls++}`,
): Promise<FilesAnswer> {
  const scans: FilesCall["scans"] = [{ columns, filters: [] }];
  const connectionInfo = server.connectionInfo();
  const call: FilesCall = { connectionInfo, names: [name], sql, scans, timeoutMs: 60_000, isolation };
  const response = await worker.fetch("http://files/", { method: "POST", body: JSON.stringify(call) });
  return (await response.json()) as FilesAnswer;
}

/** Without garbage, which goes before the platform ends anything. Nothing while the isolate is busy. */
async function look(): Promise<number> {
  await inspector.collectGarbage();
  const { used, buffers } = await inspector.heap();
  return used + buffers;
}

/** The most that JavaScript has held meanwhile, in bytes. */
async function held<T>(work: Promise<T>): Promise<{ answer: T; bytes: number }> {
  let [bytes, isOver] = [0, false];
  const looking = (async () => {
    while (!isOver) {
      bytes = Math.max(bytes, await Promise.race([look(), after(1000, 0)]));
      await after(LOOK_EVERY_MS);
    }
  })();
  const answer = await work.finally(() => {
    isOver = true;
  });
  await looking;
  return { answer, bytes };
}

const UNLESS_ELSEWHERE = { ok: false, reason: "NEEDS_SIDECAR" };

it.each<[sql: string, name: string, expected: object]>([
  ["SELECT k % 10, count(*), max(text) FROM t GROUP BY 1", "large.parquet", { ok: true }],
  ["SELECT count(DISTINCT k), sum(n) FROM t", "large.csv", { ok: true, rows: [["1000n", "404999550000"]] }],
  ["SELECT count(DISTINCT k), sum(n) FROM t", "large.csv.gz", { ok: true, rows: [["1000n", "404999550000"]] }],
  ["SELECT count(*), max(text) FROM t", "large.ndjson", { ok: true }],
  ["SELECT sum(n), max(n) FROM t", "long.parquet", { ok: true, rows: [["499999500000", "999999n"]] }],
  // Data that does not fit is given up before it exceeds the limit.
  ["SELECT count(DISTINCT text) FROM t", "large.csv", UNLESS_ELSEWHERE],
  ["SELECT count(*) FROM t u JOIN t v ON u.text || u.n = v.text || v.n", "large.csv", UNLESS_ELSEWHERE],
  ["SELECT length(repeat('x', 200000000)) FROM t LIMIT 1", "large.parquet", UNLESS_ELSEWHERE],
])("%s of %s", async (sql, name, expected) => {
  const columns = name === "long.parquet" ? ["n"] : undefined;
  const { answer, bytes } = await held(
    ask(
      sql.replaceAll(/\bt\b/g, (word) => (word === "t" ? `"${name}"` : word)),
      name,
      columns,
    ),
  );
  expect(bytes + answer.engineBytes).toBeLessThan(MOST_BYTES);
  expect(answer).toMatchObject(expected);
});

it("callers who wait, each for most of a listing", async () => {
  const others = Array.from({ length: 4 }, () => ask("SELECT 1", "many/**/*.parquet"));
  const { answer, bytes } = await held(
    Promise.all([ask('SELECT count(DISTINCT k) FROM "large.csv"', "large.csv"), ...others]),
  );
  expect(answer.map((each) => each.ok || each.reason)).toEqual([true, ...Array(4).fill("FILE_NOT_FOUND")]);
  expect(bytes + Math.max(...answer.map(({ engineBytes }) => engineBytes))).toBeLessThan(MOST_BYTES);
});
