/** Repeated requests of the files Worker to a store. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openBucketInWasm } from "../../../src/connectors/duckdb-wasm/bucket.ts";
import type { WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import type { BucketConnection } from "../../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { sooner } from "../../support/sooner.ts";
import { failureOf, patient } from "../contract.ts";
import { engineInNode } from "./engine-in-node.ts";

const FILE = "shop/orders.parquet";
let server: S3Server;
let engine: WasmEngine;

beforeAll(async () => {
  server = await startS3Server();
  server.objects.set(FILE, readFileSync(new URL("../../../examples/tpch/orders.parquet", import.meta.url)));
  engine = await engineInNode();
});
afterAll(() => server.close());

interface Asking {
  readonly timeoutMs?: number;
  readonly ask?: typeof fetch;
  readonly footers?: FooterCache;
  /** Beside the store's own. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly file?: string;
}

/** Counts rows. The ranges that are read for it, as the store has them. */
async function rangesRead({
  footers = new FooterCache(0),
  fields = {},
  file = FILE,
  ask = fetch,
  timeoutMs = patient().timeoutMs,
}: Asking = {}) {
  const { info } = parseConnection("minio_file", { ...server.connectionInfo({ format: "parquet" }), ...fields });
  const connector = openBucketInWasm(info as BucketConnection, { engine, footers, fetch: ask });
  const before = server.requests.length;
  const reads = [{ model: "orders", columns: [], physical: { table: file } }];
  const statement = { sql: `SELECT count(*) AS n FROM "${file}"`, columns: [], session: [], reads };
  try {
    const { batches } = await connector.query(statement, { ...patient(), timeoutMs });
    for await (const batch of batches) expect(batch).toHaveLength(1);
  } finally {
    await connector.close();
  }
  return server.requests.slice(before).filter((request) => request.startsWith("GET"));
}

it("reads no footer twice for one connection, and for another one its own", async () => {
  const footers = new FooterCache(64 * 1024);
  const first = await rangesRead({ footers });
  expect(await rangesRead({ footers })).toEqual(first.slice(1));
  expect(await rangesRead({ footers, fields: { format: "csv" } })).toEqual(first);
  expect(await rangesRead()).toEqual(first);
});

it("reads the footer of another version", async () => {
  const footers = new FooterCache(64 * 1024);
  const first = await rangesRead({ footers });
  const orders = server.objects.get(FILE);
  server.objects.set(FILE, readFileSync(new URL("../../../examples/tpch/lineitem.parquet", import.meta.url)));
  const ofAnother = await rangesRead({ footers });
  if (orders !== undefined) server.objects.set(FILE, orders);
  expect(ofAnother).toHaveLength(first.length);
});

it("reads a small object by one request", async () => {
  const nation = readFileSync(new URL("../../../examples/tpch/nation.parquet", import.meta.url));
  for (let number = 10; number < 30; number++) server.objects.set(`small/${number}.parquet`, nation);
  const ranges = await rangesRead({ file: "small/*.parquet" });
  const names = Array.from({ length: 20 }, (_, index) => `small/${index + 10}.parquet`);
  expect(ranges.map((range) => range.split(" ")[1]).toSorted()).toEqual(names);
});

it("reads no more of a footer that it has no room for than of any", async () => {
  const bytes = new Uint8Array(2 * 1024 * 1024);
  const tail = bytes.subarray(-8);
  bytes.set(new TextEncoder().encode("PAR1"));
  tail.set(new TextEncoder().encode("PAR1"), 4);
  new DataView(tail.buffer, tail.byteOffset).setUint32(0, 1024 * 1024, true);
  server.objects.set("shop/wide.parquet", bytes);
  const sent = server.bytes;
  expect((await failureOf(rangesRead({ file: "shop/wide.parquet" }))).reason).toBe("NEEDS_SIDECAR");
  expect(server.bytes - sent).toBe(64 * 1024);
});

it("reads the footers of many files six at a time, and then their rows", async () => {
  const bytes = server.objects.get(FILE);
  for (let number = 10; bytes !== undefined && number < 30; number++)
    server.objects.set(`many/${number}.parquet`, bytes);
  let running = 0;
  let most = 0;
  const ask: typeof fetch = async (...asked) => {
    most = Math.max(most, ++running);
    try {
      return await fetch(...asked);
    } finally {
      running--;
    }
  };
  const ranges = await rangesRead({ file: "many/*.parquet", ask });
  const names = Array.from({ length: 20 }, (_, index) => `many/${index + 10}.parquet`);
  expect(
    ranges
      .slice(0, 20)
      .map((range) => range.split(" ")[1])
      .toSorted(),
  ).toEqual(names);
  expect(ranges.slice(20).map((range) => range.split(" ")[1])).toEqual(names);
  expect(most).toBe(6);
});

it("leaves what the platform would unpack on the way to the sidecar, unread", async () => {
  server.fault = ({ method }, response) => {
    if (method === "GET") response.setHeader("content-encoding", "gzip");
    return false;
  };
  try {
    const failure = await failureOf(rangesRead());
    expect(failure).toMatchObject({ reason: "NEEDS_SIDECAR" });
    expect(failure.message).toContain("Content-Encoding: gzip");
  } finally {
    server.fault = undefined;
  }
});

it.each([
  ["large.csv", 129],
  ["large.csv.gz", 65],
  ["large.csv.zst", 65],
])("leaves %s of %i MiB to the sidecar, unread", async (file, mebibytes) => {
  server.objects.set(file, new Uint8Array(mebibytes * 1024 * 1024));
  const sent = server.bytes;
  const failure = await failureOf(rangesRead({ file, fields: { format: "csv" } }));
  server.objects.delete(file);
  expect(failure).toMatchObject({ reason: "NEEDS_SIDECAR" });
  expect(failure.message).toContain(`${mebibytes * 1024 * 1024} bytes`);
  expect(server.bytes).toBe(sent);
});

it("counts the time in which files are looked for", async () => {
  server.fault = ({ isListing }) => isListing;
  try {
    const failure = await failureOf(rangesRead({ file: "shop/*.parquet", timeoutMs: 200 }));
    expect(failure).toMatchObject({ reason: "STATEMENT_TIMEOUT" });
  } finally {
    server.fault = undefined;
  }
});

it("leaves a listing of more objects than there is room for to the sidecar", async () => {
  const name = (n: number): string => `lots/${String(n).padStart(5, "0")}.parquet`;
  for (let n = 0; n <= 10_000; n++) server.objects.set(name(n), Buffer.from(""));
  const failure = await failureOf(rangesRead({ file: "lots/*.parquet" }));
  expect(failure).toMatchObject({ reason: "NEEDS_SIDECAR", message: "s3://lake/lots/ has more than 10000 objects." });
  server.objects.delete(name(10_000));
  // So many are looked at.
  expect((await failureOf(rangesRead({ file: "lots/*.parquet" }))).message).not.toContain("more than 10000 objects");
  for (let n = 0; n < 10_000; n++) server.objects.delete(name(n));
});

it.each([
  "Too many subrequests.",
  "Too many subrequests by single Worker invocation. To configure this limit, refer to …",
])("leaves what asks more often than the platform allows to the sidecar: %s", async (message) => {
  let left = 1;
  const ask: typeof fetch = async (...asked) => {
    if (left-- === 0) throw new Error(message);
    return fetch(...asked);
  };
  expect(await failureOf(rangesRead({ ask }))).toMatchObject({
    reason: "NEEDS_SIDECAR",
    message: "The statement asks the store more often than a Worker may.",
  });
});

it("looks for files when it is a statement's turn, within the time that is left of it", async () => {
  const { promise: isFree, resolve } = Promise.withResolvers<void>();
  const entering = vi.spyOn(engine, "enter");
  await rangesRead();
  // The same owner: no instance has to start in between.
  const [owner = ""] = entering.mock.lastCall ?? [];
  const turn = await engine.enter(owner, patient());
  const before = server.requests.length;
  const waiting = failureOf(rangesRead({ timeoutMs: 300, ask: () => isFree.then(() => new Promise(() => {})) }));
  await new Promise((wait) => setTimeout(wait, 200));
  expect(server.requests).toHaveLength(before);
  turn.end(false);
  resolve();
  // 200 of its 300 ms have passed; with a time of its own it would need all of them again.
  expect((await sooner(waiting, 300)).reason).toBe("STATEMENT_TIMEOUT");
});
