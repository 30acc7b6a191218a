/**
 * Questions over Parquet in a bucket, of which only what they need is fetched: the analyst's against their committed rows, TPC-H
 * and TPC-DS against the same files read whole. The store is a fake of the protocol; what is asked of MinIO stands beside it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { ask, judgeAgainst, judgeRows } from "../parity/judge.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { type OpenedSource, openDuckDbFiles } from "../support/sources.ts";
import { tryLoadTpc } from "./tpc.ts";
import { plainModels } from "./tpc-tables.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
/** Every so many of TPC-DS: all take a minute. */
const EVERY = Number(process.env["TPC_EVERY"] ?? 4);

let sidecar: SidecarProcess;
let server: S3Server;
let connector: Connector;
let bucket: OpenedSource;

beforeAll(async () => {
  [sidecar, server] = await Promise.all([startSidecar({ ALLOWED_HOSTS: "127.0.0.1" }), startS3Server()]);
  connector = await connectorIn(sidecar, "minio_file", server.connectionInfo({ format: "parquet" }));
  bucket = { connector, close: () => connector.close() };
});
afterAll(async () => {
  await bucket.close();
  await Promise.all([sidecar.stop(), server.close()]);
});

function put(prefix: string, directory: string): void {
  for (const name of readdirSync(directory).filter((each) => each.endsWith(".parquet"))) {
    server.objects.set(`${prefix}${name}`, readFileSync(join(directory, name)));
  }
}

describe("the analyst's questions", () => {
  const manifest = manifestOf(plainManifest("local_file"));
  beforeAll(() => put("tpch/", join(EXAMPLES, "tpch")));

  it.each(ANALYST_QUERIES)("$id", async ({ sql, ordered, expected }) => {
    const answer = await ask(sql, manifest, "minio_file", bucket);
    expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });
});

const outcome = tryLoadTpc();
const benchmarks =
  "notRun" in outcome
    ? []
    : ([
        ["TPC-H", outcome.corpus.tpch],
        ["TPC-DS", outcome.corpus.tpcds],
      ] as const);

describe.each(benchmarks)("%s", (name, { tables, queries, data }) => {
  const manifest = manifestOf(plainModels(tables, (table) => ({ table: `${name}/${table}.parquet` })));
  const whole = manifestOf(plainModels(tables, (table) => ({ table: `${table}.parquet` })));
  let files: OpenedSource;
  beforeAll(async () => {
    put(`${name}/`, data);
    files = await openDuckDbFiles(data);
  });
  afterAll(() => files.close());

  const asked = queries
    .map((sql, index) => [index + 1, sql] as const)
    .filter(([number]) => name === "TPC-H" || number % EVERY === 0);
  it.each(asked)("%i", async (_number, sql) => {
    const expected = await ask(sql, whole, "local_file", files);
    const answer = await ask(sql, manifest, "minio_file", bucket);
    if ("outcome" in expected) expect(answer).toEqual(expected);
    else expect("outcome" in answer ? answer : judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
  });
});
