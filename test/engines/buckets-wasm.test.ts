/**
 * The same questions over Parquet in a bucket as the sidecar's (`buckets.test.ts`), through the API's Worker and the files Worker
 * in workerd, with and without a sidecar behind them: the analyst's against their committed rows, TPC-H against native DuckDB
 * over the same files. The files Worker reads a real MinIO where `npm run minio` has built one, and else a server of the protocol.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINIO_DIRECTORY, startMinio } from "../../scripts/minio.ts";
import { readArrowStream } from "../../src/connectors/arrow/stream.ts";
import { rowReader } from "../../src/connectors/arrow/values.ts";
import { readDuckDbField } from "../../src/connectors/duckdb-wasm/arrow-fields.ts";
import { PulledBatches } from "../../src/result/stream/pulled.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { type Answer, ask, judgeAgainst, judgeRows } from "../parity/judge.ts";
import { SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { plainManifest } from "../support/analyst.ts";
import { readCells } from "../support/canonical-cells.ts";
import { manifestOf } from "../support/plan.ts";
import { FIXTURES } from "../support/postgres-server.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { freePort } from "../support/service.ts";
import { type OpenedSource, openDuckDbFiles } from "../support/sources.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { tryLoadTpc } from "./tpc.ts";
import { plainModels } from "./tpc-tables.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/tpch", import.meta.url));

/** Every so many of TPC-H, which the sidecar is asked in full. */
const EVERY = Number(process.env["TPC_EVERY"] ?? 4);

/** A public name, which the files Worker serves: for the sidecar it is on this machine. */
const HOST = "store.example.com";
const RESOLVING = `
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
const { lookup } = dns;
dns.lookup = async (host, options) => (host === "${HOST}" ? [{ address: "127.0.0.1", family: 4 }] : lookup(host, options));
syncBuiltinESMExports();`;

const BUCKET = "lake";
const KEYS = { access: "minioadmin", secret: "minioadmin" };

interface Store {
  readonly endpoint: string;
  put(key: string, content: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const isMinio = existsSync(join(MINIO_DIRECTORY, "minio"));

async function startStore(): Promise<Store> {
  if (isMinio) {
    const minio = await startMinio(await freePort());
    await minio.put(BUCKET);
    return {
      endpoint: minio.endpoint,
      put: (key, content) => minio.put(BUCKET, key, content),
      close: () => minio.stop(),
    };
  }
  const server = await startS3Server({ bucket: BUCKET, keys: KEYS });
  const put = async (key: string, content: Uint8Array) => void server.objects.set(key, Buffer.from(content));
  return { endpoint: server.endpoint, put, close: () => server.close() };
}

/** The same objects: as the files Worker's platform reaches them, and with TLS as the sidecar does. */
let plain: Store;
let secure: S3Server;
let sidecar: SidecarProcess;
let alone: RunningWorker;
let both: RunningWorker;

beforeAll(async () => {
  const certificate = {
    cert: readFileSync(join(FIXTURES, "test-only-server.crt")),
    key: readFileSync(join(FIXTURES, "test-only-server.key")),
  };
  [plain, secure, sidecar] = await Promise.all([
    startStore(),
    startS3Server({ certificate, bucket: BUCKET, keys: KEYS }),
    startSidecar({
      ALLOWED_HOSTS: "127.0.0.1",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(RESOLVING)}`,
      // The certificate is for other names, and this is not about names.
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    }),
  ]);
  const store = `http://${plain.endpoint}`;
  alone = await startWorker({ AUTH: "none" }, { store });
  both = await startWorker({ AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET }, { store });
});
afterAll(() => Promise.all([plain.close(), secure.close(), sidecar.stop()]));

async function put(prefix: string, directory: string): Promise<void> {
  for (const name of readdirSync(directory).filter((each) => each.endsWith(".parquet"))) {
    const content = readFileSync(join(directory, name));
    await plain.put(`${prefix}${name}`, content);
    secure.objects.set(`${prefix}${name}`, content);
  }
}

interface Refusal {
  readonly status: number;
  readonly reason: unknown;
  readonly message: string;
}

/** In Arrow's format, which holds each value as it is. */
async function answerOf(worker: RunningWorker, sql: string, manifest: unknown): Promise<Answer | Refusal> {
  const body = {
    sql,
    manifestStr: Buffer.from(JSON.stringify(manifest)).toString("base64"),
    connectionInfo: {
      bucket: BUCKET,
      endpoint: `https://${HOST}:${secure.endpoint.split(":")[1]}`,
      region: "us-east-1",
      access_key: KEYS.access,
      secret_key: KEYS.secret,
      format: "parquet",
    },
  };
  const answer = await worker.post("/v3/connector/s3_file/query", body, {
    accept: "application/vnd.apache.arrow.stream",
  });
  if (answer.status !== 200) {
    const { message, metadata } = (await answer.json()) as { message: string; metadata: { reason?: unknown } };
    return { status: answer.status, reason: metadata.reason, message };
  }
  const { fields, batches } = readArrowStream(new Uint8Array(await answer.arrayBuffer()));
  const { columns, batches: read } = rowReader(fields, [], readDuckDbField);
  const each = batches.flatMap((batch) => [...read(batch)])[Symbol.iterator]();
  const pulled = new PulledBatches(
    async () => each.next().value,
    async () => undefined,
  );
  const { rows } = await readCells({ columns, batches: pulled, close: () => pulled.close() });
  return { columns, rows, names: columns.map(({ name }) => name) };
}

describe(`the analyst's questions over ${isMinio ? "a real MinIO" : "a server of S3's protocol"}`, () => {
  const manifest = plainManifest("local_file");
  beforeAll(() => put("tpch/", EXAMPLE));

  it.each(ANALYST_QUERIES)("$id", async ({ sql, ordered, expected }) => {
    const answer = await answerOf(alone, sql, manifest);
    expect("status" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });

  it("are the sidecar's, where the files Worker lacks what they take", async () => {
    const sql = "SELECT c_attrs->'tags' AS tags FROM customer ORDER BY c_custkey LIMIT 1";
    const refused = await answerOf(alone, sql, manifest);
    expect(refused).toMatchObject({ status: 422, reason: "NEEDS_SIDECAR" });
    expect(refused).toHaveProperty("message", expect.stringContaining("SIDECAR_URL"));
    expect(await answerOf(both, sql, manifest)).toMatchObject({ rows: [[expect.any(String)]] });
    expect(secure.requests).not.toEqual([]);
  });

  it("are the files Worker's, where it can answer them", async () => {
    secure.requests.length = 0;
    const { sql, expected, ordered } = ANALYST_QUERIES.find(({ id }) => id === "Q01")!;
    const answer = await answerOf(both, sql, manifest);
    expect("status" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
    expect(secure.requests).toEqual([]);
  });
});

const outcome = tryLoadTpc();

describe.skipIf("notRun" in outcome)("TPC-H", () => {
  const { tables, queries, data } = "notRun" in outcome ? { tables: [], queries: [], data: "" } : outcome.corpus.tpch;
  const manifest = plainModels(tables, (table) => ({ table: `h/${table}.parquet` }));
  const whole = manifestOf(plainModels(tables, (table) => ({ table: `${table}.parquet` })));
  let files: OpenedSource;
  beforeAll(async () => {
    await put("h/", data);
    files = await openDuckDbFiles(data);
  });
  afterAll(() => files.close());

  const asked = queries.map((sql, index) => [index + 1, sql] as const).filter(([number]) => number % EVERY === 0);
  it.each(asked)("%i", async (_number, sql) => {
    const expected = await ask(sql, whole, "local_file", files);
    if ("outcome" in expected) throw new Error(expected.detail);
    const answer = await answerOf(alone, sql, manifest);
    expect("status" in answer ? answer : judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
  });
});
