/** The connector of BigQuery inside workerd, and behind the whole service; Google's hosts are a FAKE (`rest.ts`). */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import { startWorker } from "../../support/worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { type FakeGoogle, GOOGLE, makeAccount, PROJECT, STATEMENTS, startFakeGoogle } from "./rest.ts";

const account = makeAccount();
const connectionInfo = { project_id: PROJECT, dataset_id: "sales", credentials: account.credentials };

let worker: TestWorker;
let google: FakeGoogle;
beforeAll(async () => {
  google = await startFakeGoogle(account);
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await google?.close();
});

async function call(sql: string, change: Partial<WorkerCall> = {}) {
  const before = google.asked.length;
  const standIns = GOOGLE.map((origin) => [origin, google.url] as const);
  const body: WorkerCall = { source: "bigquery", connectionInfo, sql, standIns, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { answer: JSON.parse(text) as WorkerAnswer, asked: () => google.asked.slice(before) };
}

const TOKEN = "POST /token";
const QUERY = "POST /bigquery/v2/projects/acme/queries";
const RESULTS = "GET /bigquery/v2/projects/acme/queries/job";

describe("in workerd", () => {
  it("reads pages as they are pulled", async () => {
    const { answer, asked } = await call(STATEMENTS.numbers(2500));
    expect(answer).toMatchObject({ ok: true, rows: 2500, first: ["1n"] });
    expect(asked()).toEqual([TOKEN, QUERY, RESULTS, RESULTS]);
  });

  it("asks for no more than is read", async () => {
    const { answer, asked } = await call(STATEMENTS.endless, { stopAfter: 1 });
    expect(answer).toMatchObject({ ok: true, rows: 1000 });
    expect(asked()).toEqual([TOKEN, QUERY]);
  });

  it("tells what a statement would read", async () => {
    const { answer, asked } = await call(STATEMENTS.stuck, { dryRun: true });
    expect(answer).toMatchObject({ ok: true, first: "9007199254740993" });
    expect(asked()).toEqual([TOKEN, QUERY]);
  });

  it.each<[string, Partial<WorkerCall>, string]>([
    ["its caller goes", { abortAfterMs: 150 }, "CANCELLED"],
    ["its time is over", { timeoutMs: 150 }, "STATEMENT_TIMEOUT"],
  ])("cancels a statement, once, when %s", async (_, change, reason) => {
    const { answer, asked } = await call(STATEMENTS.stuck, change);
    expect(answer).toMatchObject({ ok: false, reason });
    const cancels = () => asked().filter((line) => line.endsWith("/cancel"));
    await expect.poll(cancels, { timeout: 30_000, interval: 20 }).toHaveLength(1);
    await call(STATEMENTS.numbers(1));
    expect(cancels()).toHaveLength(1);
  });

  it("is refused with a key that is not the account's", async () => {
    const { answer } = await call("SELECT 1", {
      connectionInfo: { ...connectionInfo, credentials: makeAccount().credentials },
    });
    expect(answer).toMatchObject({ ok: false, reason: "AUTHENTICATION", engineCode: "invalid_grant" });
  });
});

describe("behind the service", () => {
  const post = async (path: string, body: object, version = "v3") => {
    const service = await startWorker(
      { AUTH: "none", V2_PROFILE: "modern", MAX_BYTES_BILLED: "20971520" },
      { internet: google.url },
    );
    return service.post(`/${version}/connector/bigquery/${path}`, { connectionInfo, ...body });
  };
  const ask = (kind: string, change: object = {}, version = "v3") => post(`metadata/${kind}`, change, version);
  const manifestStr = Buffer.from(
    JSON.stringify({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "orders",
          tableReference: { schema: "sales", table: "orders" },
          columns: [
            { name: "id", type: "INT64" },
            { name: "gone", type: "STRING", expression: "nowhere" },
          ],
        },
      ],
    }),
  ).toString("base64");

  it("answers what it has planned, with every digit", async () => {
    const answer = await post("query", { sql: "SELECT id FROM orders", manifestStr });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      '{"columns":["id"],"data":[[9007199254740993],[9007199254740994]],"dtypes":{"id":"int64"}}',
    ]);
    expect(google.questions.at(-1)).toMatchObject({ useLegacySql: false, maximumBytesBilled: "20971520" });
  });

  it("tells the plan, and asks Google nothing for it", async () => {
    const before = google.questions.length;
    const answer = await post("dry-plan", { sql: "SELECT id FROM orders", manifestStr });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      "SELECT `orders`.`id` FROM `sales`.`orders` AS `orders`",
    ]);
    expect(google.questions).toHaveLength(before);
  });

  it("tells in a header what a statement would read, and runs nothing", async () => {
    const answer = await post("query?dryRun=true", { sql: "SELECT id FROM orders", manifestStr });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(answer.headers.get("x-bytes-processed")).toBe("9007199254740993");
    expect(google.questions.at(-1)).toMatchObject({ dryRun: true });
  });

  it("tells where in the caller's SQL Google finds something wrong", async () => {
    const sql = "SELECT id,\n  gone FROM orders";
    const answer = await post("query", { sql, manifestStr });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      {
        errorCode: "GENERIC_USER_ERROR",
        message: expect.stringContaining("Unrecognized name: nowhere"),
        metadata: { position: { line: 2, column: 3 } },
      },
    ]);
  });

  it("tells tables, keys, datasets and the version, within what the operator lets them cost", async () => {
    const tables = await ask("tables", {}, "v2");
    expect([tables.status, await tables.json()]).toEqual([
      200,
      [
        {
          name: "orders",
          columns: [
            {
              name: "id",
              type: "INT64",
              notNull: true,
              description: "key",
              properties: { column_order: 1 },
              nestedColumns: null,
            },
          ],
          description: "all orders",
          properties: { schema: "sales", catalog: "acme", table: "orders", path: null },
          primaryKey: "",
        },
      ],
    ]);
    expect(google.questions.at(-1)).toMatchObject({ maximumBytesBilled: "20971520" });
    expect(await (await ask("constraints")).json()).toMatchObject([{ constraintName: "orders_shop_shops_id" }]);
    expect(await (await ask("schemas")).json()).toEqual([{ name: "acme", schemas: ["sales"] }]);
    expect(await (await ask("version")).json()).toBe("Follow BigQuery release version");
  });

  const project = {
    bigquery_type: "project",
    billing_project_id: PROJECT,
    region: "us",
    credentials: account.credentials,
  };

  it("takes the datasets of a project from filterInfo", async () => {
    const filterInfo = { projects: [{ projectId: "acme", datasetIds: ["sales", "crm"] }] };
    const tables = await ask("tables", { connectionInfo: project, filterInfo });
    expect(await tables.json()).toMatchObject([{ name: "sales.orders" }, { name: "crm.orders" }]);
    expect(tables.headers.get("x-warnings")).toBeNull();
  });

  it.each<[object, number, object]>([
    [
      { connectionInfo: project },
      422,
      { errorCode: "INVALID_CONNECTION_INFO", message: "At least one project and dataset must be specified" },
    ],
    [{ connectionInfo: { ...connectionInfo, credentials: "x" } }, 422, { errorCode: "INVALID_CONNECTION_INFO" }],
    [
      { connectionInfo: { ...connectionInfo, credentials: makeAccount().credentials } },
      422,
      { errorCode: "GET_CONNECTION_ERROR" },
    ],
  ])("%#: refuses", async (change, status, error) => {
    const answer = await ask("tables", change);
    const body = await answer.json();
    expect([answer.status, body]).toMatchObject([status, error]);
    expect(JSON.stringify(body)).not.toContain(account.credentials.slice(100, 140));
  });
});
