/** The limits of the files Worker under a row rule: the same refusal whatever a caller compares with, and without a number. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openBucketInWasm } from "../../../src/connectors/duckdb-wasm/bucket.ts";
import type { BucketConnection } from "../../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { makeWith, playground } from "../../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { drain, failureOf, patient } from "../contract.ts";
import { engineInNode } from "./engine-in-node.ts";

const columns = ["id", "owner", "amount", "other"].map((name) => ({ name, type: "bigint" }));
const model = (name: string, table: string, condition?: string) => ({
  name,
  tableReference: { table },
  columns,
  ...(condition !== undefined && {
    rowLevelAccessControls: [{ name: "r", requiredProperties: [], condition }],
  }),
});
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    model("mine", "large.parquet", "owner = 1"),
    model("first", "large.parquet", "id < 1000"),
    model("everything", "large.parquet"),
  ],
});

const ground = playground();
let server: S3Server;
let connector: Connector;

beforeAll(async () => {
  server = await startS3Server();
  const path = join(ground.root, "large.parquet");
  // Constant columns take little of the file, and eight bytes a row in the engine: 24 MB, of which 16 MiB are allowed.
  await makeWith([
    `COPY (SELECT i AS id, i % 2 AS owner, i // 1000 AS amount, 7::BIGINT AS other FROM range(1000000) t(i))
     TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 100352)`,
  ]);
  server.objects.set("large.parquet", readFileSync(path));
  const { info } = parseConnection("minio_file", server.connectionInfo({ format: "parquet" }));
  const engine = await engineInNode();
  connector = openBucketInWasm(info as BucketConnection, { engine, footers: new FooterCache(0), fetch });
}, 120_000);
afterAll(async () => {
  await connector.close();
  await server.close();
  ground.remove();
});

const query = (sql: string) =>
  connector.query(statementOf(planned(sql, MANIFEST, { source: "minio_file" })), patient());

it.each(["amount >= 0", "amount = 5", "amount = 99999", "amount < 10 AND id > 3", "id IN (1, 2)"])(
  "refuses the rule's bytes under %s",
  async (condition) => {
    const failure = await failureOf(query(`SELECT id, amount, other FROM mine WHERE ${condition}`));
    expect(failure).toMatchObject({
      reason: "NEEDS_SIDECAR",
      message: "The access rule leaves more of the files than the files Worker has room for.",
      hint: expect.stringMatching(/^Partition the files by the column that the rule compares/),
    });
  },
);

it("answers what the rule itself leaves", async () => {
  expect(await drain(await query("SELECT count(*), sum(other) FROM first WHERE amount = 0"))).toHaveLength(1);
});

it("counts the caller's comparisons, and says how many bytes, where no rule is", async () => {
  expect(await drain(await query("SELECT count(id), sum(other) FROM everything WHERE amount = 5"))).toHaveLength(1);
  const failure = await failureOf(query("SELECT id, owner, amount, other FROM everything"));
  expect(failure.message).toMatch(/at least \d+ bytes/);
});
