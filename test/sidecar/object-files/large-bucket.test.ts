/**
 * A gigabyte of Parquet in twenty files: what a filtered aggregate reads of it. `LARGE_BUCKET=1`, about two minutes; the tests
 * beside it ask the same of small files.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { drain, patient } from "../../connectors/contract.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { startWorker } from "../../support/worker.ts";
import { makeWith, playground } from "../duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../process.ts";

const FILES = 20;
const ROWS = 700_000;
const MODEL = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "trips",
      tableReference: { table: "trips/*.parquet" },
      columns: Object.entries({
        id: "bigint",
        at: "timestamp",
        city: "varchar",
        price: "decimal(12,2)",
        note: "varchar",
        other: "varchar",
      }).map(([name, type]) => ({ name, type })),
    },
  ],
};
const MANIFEST = manifestOf(MODEL);

describe.skipIf(process.env.LARGE_BUCKET === undefined)("a gigabyte of Parquet", () => {
  const ground = playground();
  let sidecar: SidecarProcess;
  let server: S3Server;
  let connector: Connector;
  let size = 0;

  beforeAll(async () => {
    server = await startS3Server({ region: "eu-west-1" });
    for (let n = 0; n < FILES; n++) {
      const path = join(ground.root, `${n}.parquet`);
      await makeWith([
        `COPY (SELECT i AS id, TIMESTAMP '2020-01-01' + INTERVAL (i) SECOND AS at, ['Oslo', 'Rome', 'Lima'][i % 3 + 1] AS city,
          (i % 10007 * 1.25)::DECIMAL(12, 2) AS price, md5(i::VARCHAR) AS note, md5((i + 1)::VARCHAR) AS other
          FROM range(${n * ROWS}, ${(n + 1) * ROWS}) t(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 65536)`,
      ]);
      const content = readFileSync(path);
      size += content.byteLength;
      server.objects.set(`trips/${String(n).padStart(2, "0")}.parquet`, content);
    }
    sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.1" });
    connector = await connectorIn(sidecar, "minio_file", server.connectionInfo());
  }, 600_000);
  afterAll(async () => {
    await connector.close();
    await Promise.all([sidecar.stop(), server.close()]);
    ground.remove();
  });

  const QUESTIONS: readonly (readonly [sql: string, share: number])[] = [
    ["SELECT count(*) AS n FROM trips", 0.005],
    [
      "SELECT city, count(*) AS n, sum(price) AS s FROM trips WHERE at >= '2020-03-01' AND at < '2020-03-04' GROUP BY city ORDER BY city",
      0.05,
    ],
    ["SELECT note FROM trips WHERE id = 7654321", 0.01],
    ["SELECT city, sum(price) AS s FROM trips GROUP BY city ORDER BY city", 0.05],
  ];

  /** `rows` brings them, and reads no more of the store than its share. */
  async function judge(what: string, most: number, rows: () => Promise<readonly unknown[]>): Promise<void> {
    const before = server.bytes;
    const started = performance.now();
    const { length } = await rows();
    const read = server.bytes - before;
    const share = `${((100 * read) / size).toFixed(2)} %`;
    const took = `${Math.round(performance.now() - started)} ms`;
    process.stderr.write(`${what}: ${length} rows, ${read} of ${size} bytes (${share}), ${took}\n`);
    expect(length).toBeGreaterThan(0);
    expect(read / size).toBeLessThan(most);
  }

  it.each(QUESTIONS)("%s in the sidecar", (sql, most) =>
    judge(sql, most, async () =>
      drain(await connector.query(statementOf(planned(sql, MANIFEST, { source: "minio_file" })), patient())),
    ),
  );

  // The last one needs more values than fit into memory.
  it.each(QUESTIONS.slice(0, 3))("%s in the files Worker", async (sql, most) => {
    const worker = await startWorker({ AUTH: "none" }, { store: `http://${server.endpoint}` });
    await judge(`Worker: ${sql}`, most, async () => {
      const { bucket, keys } = server;
      const answer = await worker.post("/v3/connector/s3_file/query", {
        sql,
        manifestStr: Buffer.from(JSON.stringify(MODEL)).toString("base64"),
        connectionInfo: {
          bucket,
          region: "eu-west-1",
          access_key: keys.access,
          secret_key: keys.secret,
          url_style: "path",
        },
      });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return (JSON.parse(text) as { readonly data: readonly unknown[] }).data;
    });
  });
});
