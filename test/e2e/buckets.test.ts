/** Files of a bucket through the service as it is started: Worker, frames, sidecar, DuckDB; the store is a fake that checks signatures. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { type RunningService, startService } from "../support/service.ts";

let service: RunningService;
const servers: S3Server[] = [];
const SECRET = "a+secret/key=of-the-tests";

/** Per source: the connection, and the address of a key as metadata tells it. */
const SOURCES: Record<string, { server: S3Server; info: Record<string, unknown>; root: string }> = {};

beforeAll(async () => {
  const keys = { access: "AKIDEXAMPLE", secret: SECRET };
  const [s3, minio, gcs] = await Promise.all([
    startS3Server({ keys, region: "eu-west-1" }),
    startS3Server({ keys }),
    startS3Server({ keys, region: "auto" }),
  ]);
  servers.push(s3, minio, gcs);
  for (const { objects } of servers) {
    objects.set("shop/sales.csv", new TextEncoder().encode("id,owner,amount\n1,ann,2.50\n2,bob,x\n3,ann,4.25\n"));
  }
  const given = { bucket: "lake", url: "/shop", format: "csv" };
  const awsKeys = { access_key: keys.access, secret_key: keys.secret };
  SOURCES["s3_file"] = {
    server: s3,
    info: { ...given, ...awsKeys, region: "eu-west-1", endpoint: `http://${s3.endpoint}` },
    root: "s3://lake/",
  };
  SOURCES["minio_file"] = {
    server: minio,
    info: { ...given, ...awsKeys, endpoint: minio.endpoint },
    root: "s3://lake/",
  };
  SOURCES["gcs_file"] = {
    server: gcs,
    info: { ...given, key_id: keys.access, secret_key: keys.secret, endpoint: `http://${gcs.endpoint}` },
    root: "gs://lake/",
  };
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
  await Promise.all(servers.map((server) => server.close()));
});

const COLUMNS = [
  { name: "id", type: "INTEGER" },
  { name: "owner", type: "VARCHAR" },
  { name: "amount", type: "VARCHAR" },
];

function manifestOf(table: string, more: object = {}): string {
  const models = [{ name: "sales", tableReference: { table }, columns: COLUMNS, ...more }];
  return Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/v3/connector/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}

describe.each(["s3_file", "minio_file", "gcs_file"])("%s", (source) => {
  const at = () => SOURCES[source]!;

  it("answers a query, by key, address and pattern", async () => {
    const { info, root } = at();
    for (const table of ["shop/sales.csv", `${root}shop/sales.csv`, `${root}shop/*.csv`]) {
      const sql = "SELECT owner, count(*) AS n FROM sales GROUP BY owner ORDER BY owner";
      const { status, json } = await post(`${source}/query`, {
        sql,
        manifestStr: manifestOf(table),
        connectionInfo: info,
      });
      expect([status, json?.data]).toEqual([
        200,
        [
          ["ann", 2],
          ["bob", 1],
        ],
      ]);
    }
  });

  it("checks without running, and plans without asking the store", async () => {
    const { info, server } = at();
    const manifestStr = manifestOf("shop/sales.csv");
    const body = { sql: "SELECT id FROM sales", manifestStr, connectionInfo: info };
    expect((await post(`${source}/query?dryRun=true`, body)).status).toBe(204);
    const before = server.requests.length;
    expect(await post(`${source}/dry-plan`, { sql: "SELECT id FROM sales", manifestStr })).toMatchObject({
      status: 200,
      json: expect.stringContaining('"shop/sales.csv"'),
    });
    expect(server.requests.length).toBe(before);
  });

  it("tells tables, constraints and its version", async () => {
    const { info, root } = at();
    const { json } = await post(`${source}/metadata/tables`, { connectionInfo: info });
    expect(json).toMatchObject([{ name: "sales", properties: { path: `${root}shop/sales.csv` } }]);
    expect((await post(`${source}/metadata/constraints`, { connectionInfo: info })).json).toEqual([]);
    const version = { s3_file: "S3", minio_file: "Minio", gcs_file: "GCS" }[source];
    expect((await post(`${source}/metadata/version`, { connectionInfo: info })).json).toBe(version);
  });

  it("keeps row rules: what is withheld shapes neither values nor errors", async () => {
    const { info } = at();
    const rule = { name: "own", requiredProperties: [{ name: "user", required: true }], condition: "owner = @user" };
    const columns = COLUMNS.map((column) => (column.name === "amount" ? { ...column, type: "DECIMAL(10,2)" } : column));
    const manifestStr = manifestOf("shop/sales.csv", { rowLevelAccessControls: [rule], columns });
    const asked = (sql: string) =>
      post(`${source}/query`, { sql, manifestStr, connectionInfo: info }, { "x-wren-variable-user": "'ann'" });
    expect((await asked("SELECT id FROM sales ORDER BY id")).json?.data).toEqual([[1], [3]]);
    const { json } = await asked("SELECT id FROM sales WHERE amount / (id - 2) > 0");
    expect(JSON.stringify(json)).not.toMatch(/bob|"x"|siskin-/);
  });

  it("tells what is wrong with keys, hosts and members, and shows none of them", async () => {
    const { info } = at();
    const manifestStr = manifestOf("shop/sales.csv");
    const ask = (connectionInfo: object) =>
      post(`${source}/query`, { sql: "SELECT id FROM sales", manifestStr, connectionInfo });
    expect(await ask({ ...info, secret_key: "wrong" })).toMatchObject({
      status: 422,
      json: { errorCode: "GET_CONNECTION_ERROR", metadata: { reason: "AUTHENTICATION" } },
    });
    expect(await ask({ ...info, endpoint: "http://169.254.169.254" })).toMatchObject({
      status: 422,
      json: { metadata: { reason: "EGRESS_DENIED" } },
    });
    expect(await ask({ ...info, bucket: "../x" })).toMatchObject({
      status: 422,
      json: { errorCode: "INVALID_CONNECTION_INFO" },
    });
  });
});
