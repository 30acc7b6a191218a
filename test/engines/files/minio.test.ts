/**
 * Buckets of a real MinIO, which checks signatures: without `.siskin/minio`, which `npm run minio` builds, this is reported as
 * not run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINIO_DIRECTORY, type Minio, startMinio } from "../../../scripts/minio.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openStore } from "../../../src/connectors/files/open-store.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { drain, failureOf, patient } from "../../connectors/contract.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask as askPlanned, judgeAgainst, judgeRows } from "../../parity/judge.ts";
import { statement } from "../../sidecar/duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../../sidecar/process.ts";
import { plainManifest } from "../../support/analyst.ts";
import { manifestOf } from "../../support/plan.ts";
import { freePort } from "../../support/service.ts";
import { openDuckDbFiles } from "../../support/sources.ts";
import { tryLoadTpc } from "../tpc.ts";
import { plainModels } from "../tpc-tables.ts";
import { describeStore, fillStore } from "./stores.ts";

const EXAMPLES = join(import.meta.dirname, "../../../examples/tpch");

/** Sampling of the analyst queries and of TPC-H; all run with `TPC_EVERY=1`. */
const EVERY = Number(process.env["TPC_EVERY"] ?? 6);

describe.skipIf(!existsSync(join(MINIO_DIRECTORY, "minio")))("a real MinIO", () => {
  let minio: Minio;
  let sidecar: SidecarProcess;
  const opened: Connector[] = [];

  beforeAll(async () => {
    [minio, sidecar] = await Promise.all([freePort().then(startMinio), startSidecar({ ALLOWED_HOSTS: "127.0.0.1" })]);
    await minio.put("lake");
    await putParquet("tpch", EXAMPLES);
    await fillStore((key, content) => minio.put("lake", key, content));
  });
  afterAll(async () => {
    await Promise.all(opened.map((connector) => connector.close()));
    await minio?.stop();
    await sidecar?.stop();
  });

  async function putParquet(folder: string, directory: string): Promise<void> {
    for (const name of readdirSync(directory).filter((each) => each.endsWith(".parquet"))) {
      await minio.put("lake", `${folder}/${name}`, readFileSync(join(directory, name)));
    }
  }

  const infoOf = (more: object = {}) => ({ endpoint: minio.endpoint, bucket: "lake", ...minio.keys, ...more });

  function store(more: object = {}) {
    const { info } = parseConnection("minio_file", infoOf(more));
    if (info.source !== "minio_file") throw new Error("another source");
    return openStore(info, fetch);
  }

  async function ask(sql: string, paths: readonly string[], more: object = {}): Promise<unknown[]> {
    const connector = await connectorIn(sidecar, "minio_file", infoOf(more));
    opened.push(connector);
    return drain(await connector.query(statement(sql, ...paths), patient()));
  }

  describeStore(store, ["tpch/"]);

  it("answers SQL over Parquet and CSV", async () => {
    const orders = readFileSync(join(EXAMPLES, "orders.parquet")).byteLength;
    expect(orders).toBeGreaterThan(0);
    const sql = `SELECT count(*) FROM "tpch/orders.parquet" o JOIN "s3://lake/tpch/customer.parquet" c ON o.o_custkey = c.c_custkey`;
    const [[joined] = []] = (await ask(sql, ["tpch/orders.parquet", "s3://lake/tpch/customer.parquet"])) as bigint[][];
    const [[all] = []] = (await ask('SELECT count(*) FROM "tpch/o*.parquet"', ["tpch/o*.parquet"])) as bigint[][];
    expect(joined).toBe(all);
    expect(await ask('SELECT sum(n)::bigint FROM "many/*.csv"', ["many/*.csv"])).toEqual([[(1099n * 1100n) / 2n]]);
  });

  it.each<[what: string, more: object, expected: object]>([
    ["a wrong secret", { secret_key: "minioadmiN" }, { reason: "AUTHENTICATION", engineCode: "SignatureDoesNotMatch" }],
    ["an unknown key", { access_key: "nobody" }, { reason: "AUTHENTICATION", engineCode: "InvalidAccessKeyId" }],
    ["a missing bucket", { bucket: "nothing" }, { reason: "AUTHENTICATION", engineCode: "NoSuchBucket" }],
  ])("%s is told", async (_what, more, expected) => {
    for (const path of ["tpch/orders.parquet", "tpch/*.parquet"]) {
      expect(await failureOf(ask(`SELECT 1 FROM "${path}"`, [path], more))).toMatchObject(expected);
    }
  });

  it("an object that is not there is told apart from a bucket", async () => {
    expect(await failureOf(ask('SELECT 1 FROM "nothing.csv"', ["nothing.csv"]))).toMatchObject({
      reason: "FILE_NOT_FOUND",
    });
  });

  const connectTo = async (more: object = {}): Promise<Connector> => {
    const connector = await connectorIn(sidecar, "minio_file", infoOf({ format: "parquet", ...more }));
    opened.push(connector);
    return connector;
  };

  describe("the analyst's questions", () => {
    const manifest = manifestOf(plainManifest("local_file"));

    it.each(ANALYST_QUERIES.filter((_, index) => index % EVERY === 0))("$id", async ({ sql, ordered, expected }) => {
      const connector = await connectTo();
      const answer = await askPlanned(sql, manifest, "minio_file", { connector, close: () => connector.close() });
      expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
    });
  });

  const outcome = tryLoadTpc();
  describe.skipIf("notRun" in outcome)("TPC-H, against the same files on a disk", () => {
    if ("notRun" in outcome) return;
    const { tables, queries, data } = outcome.corpus.tpch;
    const inBucket = manifestOf(plainModels(tables, (table) => ({ table: `benchmark/${table}.parquet` })));
    const onDisk = manifestOf(plainModels(tables, (table) => ({ table: `${table}.parquet` })));
    beforeAll(() => putParquet("benchmark", data));

    const asked = queries.map((sql, index) => [index + 1, sql] as const).filter(([number]) => number % EVERY === 0);
    it.each(asked)("%i", async (_number, sql) => {
      const files = await openDuckDbFiles(data);
      const connector = await connectTo();
      try {
        const expected = await askPlanned(sql, onDisk, "local_file", files);
        if ("outcome" in expected) throw new Error(expected.detail);
        const answer = await askPlanned(sql, inBucket, "minio_file", { connector, close: () => connector.close() });
        expect("outcome" in answer ? answer : judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
      } finally {
        await files.close();
      }
    });
  });

  it("tells its tables", async () => {
    const connector = await connectTo({ url: "/tpch" });
    const tables = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
    const names = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"];
    expect(tables.map(({ name, properties }) => [name, properties?.path])).toEqual(
      names.map((name) => [name, `s3://lake/tpch/${name}.parquet`]),
    );
  });
});
