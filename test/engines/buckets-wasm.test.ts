/**
 * The same questions over Parquet in a bucket as the sidecar's (`buckets.test.ts`), by DuckDB's WASM and nothing else: the
 * analyst's against their committed rows, TPC-H against native DuckDB over the same files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBucketInWasm } from "../../src/connectors/duckdb-wasm/bucket.ts";
import type { BucketConnection } from "../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../src/connectors/sources.ts";
import { engineInNode } from "../connectors/duckdb-wasm/engine-in-node.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { ask, judgeAgainst, judgeRows } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { type OpenedSource, openDuckDbFiles } from "../support/sources.ts";
import { tryLoadTpc } from "./tpc.ts";
import { plainModels } from "./tpc-tables.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/tpch", import.meta.url));

/** Every so many of TPC-H, which the sidecar is asked in full. */
const EVERY = Number(process.env["TPC_EVERY"] ?? 4);

/** What the WASM has not: `NEEDS_SIDECAR` says so, with what it is. */
const LACKING: ReadonlyMap<string, RegExp> = new Map([
  ["Q27", /the type of its column "c_attrs"/],
  ["Q59", /extension "icu"/],
]);

let server: S3Server;
let bucket: OpenedSource;

beforeAll(async () => {
  server = await startS3Server();
  const { info } = parseConnection("minio_file", server.connectionInfo({ format: "parquet" }));
  const connector = openBucketInWasm(info as BucketConnection, {
    engine: await engineInNode(),
    footers: new FooterCache(64 * 1024),
    fetch,
  });
  bucket = { connector, close: () => connector.close() };
});
afterAll(async () => {
  await bucket.close();
  await server.close();
});

function put(prefix: string, directory: string): void {
  for (const name of readdirSync(directory).filter((each) => each.endsWith(".parquet"))) {
    server.objects.set(`${prefix}${name}`, readFileSync(join(directory, name)));
  }
}

describe("the analyst's questions", () => {
  const manifest = manifestOf(plainManifest("local_file"));
  beforeAll(() => put("tpch/", EXAMPLE));

  it.each(ANALYST_QUERIES)("$id", async ({ id, sql, ordered, expected }) => {
    const answer = await ask(sql, manifest, "minio_file", bucket);
    const lacking = LACKING.get(id);
    if (lacking !== undefined) expect(answer).toMatchObject({ detail: expect.stringMatching(lacking) });
    else expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });
});

const outcome = tryLoadTpc();

describe.skipIf("notRun" in outcome)("TPC-H", () => {
  const { tables, queries, data } = "notRun" in outcome ? { tables: [], queries: [], data: "" } : outcome.corpus.tpch;
  const manifest = manifestOf(plainModels(tables, (table) => ({ table: `h/${table}.parquet` })));
  const whole = manifestOf(plainModels(tables, (table) => ({ table: `${table}.parquet` })));
  let files: OpenedSource;
  beforeAll(async () => {
    put("h/", data);
    files = await openDuckDbFiles(data);
  });
  afterAll(() => files.close());

  const asked = queries.map((sql, index) => [index + 1, sql] as const).filter(([number]) => number % EVERY === 0);
  it.each(asked)("%i", async (_number, sql) => {
    const expected = await ask(sql, whole, "local_file", files);
    const answer = await ask(sql, manifest, "minio_file", bucket);
    if ("outcome" in expected) expect(answer).toEqual(expected);
    else expect("outcome" in answer ? answer : judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
  });
});
