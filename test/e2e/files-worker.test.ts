/** A bucket is asked through the real Workers, by DuckDB's WASM in one of them. The store is a fake of S3's protocol. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeWith } from "../sidecar/duckdb/fixtures.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let server: S3Server;
let worker: RunningWorker;

beforeAll(async () => {
  server = await startS3Server({ region: "eu-west-1" });
  server.objects.set(
    "shop/orders.csv",
    new TextEncoder().encode("id,price,day\n1,10.50,2024-01-01\n2,1.25,2024-02-01\n3,,2024-02-03\n"),
  );
  server.objects.set(
    "shop/orders.parquet",
    await parquet("id::bigint AS id, price::double AS price, day::date AS day"),
  );
  server.objects.set("shop/day=2024-01-01/packed.csv.gz", gzipSync("id,price\n1,10.50\n2,1.25\n3,\n"));
  const json =
    '{"id":1,"price":10.50,"day":"2024-01-01"}\n{"id":2,"price":1.25,"day":"2024-02-01"}\n{"id":3,"day":"2024-02-03"}\n';
  server.objects.set("shop/orders.json", new TextEncoder().encode(json));
  server.objects.set("odd/times.json", new TextEncoder().encode('[{"id":"10:00:00"}]'));
  worker = await startWorker({ AUTH: "none" }, { store: `http://${server.endpoint}` });
}, 120_000);
afterAll(() => server.close());

/** The three orders again. */
function parquet(columns: string): Promise<Uint8Array> {
  const rows = "(VALUES (1, 10.50, '2024-01-01'), (2, 1.25, '2024-02-01'), (3, NULL, '2024-02-03')) t(id, price, day)";
  return written(`SELECT ${columns} FROM ${rows}`, "FORMAT parquet");
}

async function written(sql: string, options: string): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-written-"));
  try {
    await makeWith([`COPY (${sql}) TO '${directory}/file' (${options})`]);
    return readFileSync(join(directory, "file"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const manifestOver = (table: string): string =>
  Buffer.from(
    JSON.stringify({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "orders",
          tableReference: { table },
          columns: ["id", "price", "day", "n"].map((name) => ({ name, type: name === "day" ? "date" : "double" })),
        },
      ],
    }),
  ).toString("base64");

const connection = (more: object) => ({
  bucket: server.bucket,
  region: "eu-west-1",
  access_key: server.keys.access,
  secret_key: server.keys.secret,
  url_style: "path",
  ...more,
});

async function ask(
  sql: string,
  { table = "shop/orders.csv", ...more } = {},
): Promise<{ status: number; body: unknown }> {
  const answer = await worker.post("/v3/connector/s3_file/query", {
    sql,
    manifestStr: manifestOver(table),
    connectionInfo: connection(more),
  });
  return { status: answer.status, body: await answer.json() };
}

it.each([
  ["shop/orders.csv", "2024-02-03"],
  ["shop/orders.parquet", "2024-02-03"],
  ["shop/*.parquet", "2024-02-03"],
  ["shop/orders.json", "2024-02-03"],
  ["shop/*/*.csv.gz", "2024-01-01"],
])("answers %s without a sidecar", async (table, last) => {
  const sql = "SELECT count(*) AS n, sum(price) AS total, max(day) AS last FROM orders WHERE day >= '2024-01-01'";
  expect(await ask(sql, { table })).toMatchObject({ status: 200, body: { data: [[3, 11.75, last]] } });
});

it.each([
  ["csv", ["orders"]],
  ["json", ["orders"]],
  ["parquet", ["orders"]],
])("lists tables of %s without a sidecar", async (format, names) => {
  const answer = await worker.post("/v2/connector/s3_file/metadata/tables", {
    connectionInfo: connection({ format, url: "/shop" }),
  });
  expect(await answer.json()).toMatchObject({ tables: names.map((name) => ({ name })) });
});

it.each<[what: string, more: object, reason: string]>([
  ["a wrong key", { secret_key: "no" }, "AUTHENTICATION"],
  ["an object that is not there", { table: "shop/none.csv" }, "FILE_NOT_FOUND"],
  ["a file that takes a sidecar", { table: "odd/times.json" }, "NEEDS_SIDECAR"],
  ["a private store", { endpoint: "https://127.0.0.1:9000" }, "NEEDS_SIDECAR"],
  ["a store without TLS", { endpoint: "http://store.example.com" }, "NEEDS_SIDECAR"],
])("%s is told as it is", async (_what, more, reason) => {
  expect(await ask("SELECT id FROM orders", more)).toMatchObject({ status: 422, body: { metadata: { reason } } });
});

const slow = `n,text\n${Array.from({ length: 400_000 }, (_, i) => `${i},${"x".repeat(100)}`).join("\n")}\n`;
/** Which no compression makes short. */
const noise = `n,text\n${Array.from({ length: 400_000 }, (_, i) => `${i},${randomBytes(75).toString("base64")}`).join("\n")}\n`;

it.each<[name: string, content: () => Uint8Array | Promise<Uint8Array>]>([
  ["slow.csv", () => Buffer.from(slow)],
  ["slow.csv.gz", () => gzipSync(slow, { level: 0 })],
  ["slow.csv.zst", () => zstdCompressSync(noise)],
  [
    "slow.parquet",
    () =>
      written(
        "SELECT random() * 100 AS n FROM range(1900000)",
        "FORMAT parquet, COMPRESSION uncompressed, ROW_GROUP_SIZE 20480",
      ),
  ],
])(
  "a caller who goes ends the reading of %s within a second",
  async (name, content) => {
    const stored = await content();
    server.objects.set(name, stored);
    const body = JSON.stringify({
      sql: "SELECT count(*) AS n FROM orders WHERE n > 5",
      manifestStr: manifestOver(name),
      connectionInfo: connection({}),
    });
    const runtime = new URL(worker.runtimeUrl);
    const socket = connect(Number(runtime.port), runtime.hostname);
    socket.on("error", () => {});
    server.delayMs = 200;
    server.bytes = 0;
    const reads = (): number => server.requests.filter((request) => request.startsWith(`GET ${name}`)).length;
    try {
      const head = `POST /v3/connector/s3_file/query HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Buffer.byteLength(body)}`;
      socket.write(`${head}\r\n\r\n${body}`);
      await expect.poll(reads, { timeout: 20_000, interval: 20 }).toBeGreaterThan(3);
      socket.resetAndDestroy();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const after = reads();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(reads()).toBe(after);
      expect(server.bytes).toBeLessThan(stored.length / 2);
    } finally {
      server.delayMs = 0;
    }
    expect(await ask("SELECT count(*) AS n FROM orders")).toMatchObject({ status: 200, body: { data: [[3]] } });
  },
  60_000,
);

it("is ready when all of it is", async () => {
  expect(await (await worker.fetch("/ready")).json()).toMatchObject({ parts: { connectors: "ok", files: "ok" } });
});
