/** The connector of Snowflake inside workerd, and behind the whole service; the account is a FAKE (`rest.ts`). */
import { createPrivateKey } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import { startWorker } from "../../support/worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { ACCOUNT, type FakeSnowflake, makeKeyPair, SNOWFLAKE, STATEMENTS, startFakeSnowflake } from "./rest.ts";

import { type FakeSessions, PASSWORD, STORAGE, startFakeSessions } from "./sessions.ts";

const pair = makeKeyPair();
const connectionInfo = {
  user: "reader",
  account: ACCOUNT,
  database: "D",
  schema: "PUBLIC",
  private_key: pair.privateKey,
};

let worker: TestWorker;
let snowflake: FakeSnowflake;
beforeAll(async () => {
  snowflake = await startFakeSnowflake(pair);
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await snowflake?.close();
});

async function call(sql: string, change: Partial<WorkerCall> = {}) {
  const before = snowflake.asked.length;
  const standIns = [[SNOWFLAKE, snowflake.url]] as const;
  const body: WorkerCall = { source: "snowflake", connectionInfo, sql, standIns, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { answer: JSON.parse(text) as WorkerAnswer, asked: () => snowflake.asked.slice(before) };
}

const SUBMIT = "POST /api/v2/statements";
const GET = "GET /api/v2/statements/handle";

describe("in workerd", () => {
  it("reads partitions as they are pulled", async () => {
    const { answer, asked } = await call(STATEMENTS.numbers(2500));
    expect(answer).toMatchObject({ ok: true, rows: 2500, first: ["1n"] });
    expect(asked()).toEqual([SUBMIT, GET, GET, GET]);
  });

  it("decrypts a key by its passphrase", async () => {
    const passphrase = "open sesame";
    const form = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase } as const;
    const private_key = createPrivateKey(pair.privateKey).export(form).toString();
    const info = { ...connectionInfo, private_key, kwargs: { private_key_passphrase: passphrase } };
    expect((await call(STATEMENTS.numbers(1), { connectionInfo: info })).answer).toMatchObject({ ok: true, rows: 1 });
  });

  it("fetches no more than is read", async () => {
    const { answer, asked } = await call(STATEMENTS.endless, { stopAfter: 1 });
    expect(answer).toMatchObject({ ok: true, rows: 1000 });
    expect(asked()).toEqual([SUBMIT, GET]);
  });

  it("checks a statement, and tells what it would read", async () => {
    const { answer } = await call(STATEMENTS.stuck, { dryRun: true });
    expect(answer).toMatchObject({ ok: true, first: "1024" });
  });

  it.each<[string, Partial<WorkerCall>, string]>([
    ["its caller goes", { abortAfterMs: 150 }, "CANCELLED"],
    ["its time is over", { timeoutMs: 150 }, "STATEMENT_TIMEOUT"],
  ])("cancels a statement, once, when %s", async (_, change, reason) => {
    const { answer, asked } = await call(STATEMENTS.stuck, change);
    expect(answer).toMatchObject({ ok: false, reason });
    const cancels = () => asked().filter((line) => line.endsWith("/cancel"));
    await expect.poll(cancels, { timeout: 30_000, interval: 20 }).toHaveLength(1);
  });
});

describe("behind the service", () => {
  const ask = async (kind: string, change: object = {}) => {
    const service = await startWorker({ AUTH: "none", V2_PROFILE: "modern" }, { internet: snowflake.url });
    return service.post(`/v2/connector/snowflake/metadata/${kind}`, {
      connectionInfo: { ...connectionInfo, ...change },
    });
  };

  it("tells tables, keys and the version", async () => {
    const column = (name: string, type: string, change: object = {}) => ({
      name,
      type,
      notNull: false,
      description: null,
      properties: null,
      nestedColumns: null,
      ...change,
    });
    expect(await (await ask("tables")).json()).toEqual([
      {
        name: "PUBLIC.ORDERS",
        columns: [column("ID", "NUMERIC", { notNull: true, description: "key" }), column("AT", "TIMESTAMPTZ")],
        description: "all",
        properties: { schema: "PUBLIC", catalog: "D", table: "ORDERS", path: null },
        primaryKey: "ID,LINE",
      },
      {
        name: "PUBLIC.SHOPS",
        columns: [column("TAGS", "VARIANT")],
        description: null,
        properties: { schema: "PUBLIC", catalog: "D", table: "SHOPS", path: null },
        primaryKey: "",
      },
    ]);
    const pairs = (await (await ask("constraints")).json()) as readonly { readonly constraintName: string }[];
    expect(pairs.map(({ constraintName }) => constraintName)).toEqual([
      "ORDERS_SHOP_SHOPS_ID",
      "ORDERS_SHOP_COUNTRY_SHOPS_COUNTRY",
    ]);
    expect(await (await ask("version")).json()).toBe("9.30.2");
  });

  it("plans a query, sends it and tells its rows by the caller's names", async () => {
    const service = await startWorker({ AUTH: "none", V2_PROFILE: "modern" }, { internet: snowflake.url });
    const columns = [{ name: "id", type: "NUMBER(12,0)" }];
    const models = [{ name: "orders", tableReference: { table: "orders" }, columns }];
    const manifestStr = btoa(JSON.stringify({ catalog: "D", schema: "PUBLIC", models }));
    const body = { sql: "SELECT count(*) AS orders FROM orders", manifestStr, connectionInfo };
    const answer = await service.post("/v3/connector/snowflake/query", body);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { columns: ["orders"], data: [[1]], dtypes: { orders: "int64" } },
    ]);
    const dryRun = await service.post("/v3/connector/snowflake/query?dryRun=true", body);
    expect([dryRun.status, dryRun.headers.get("x-bytes-processed")]).toEqual([204, "1024"]);
    const plan = await service.post("/v3/connector/snowflake/dry-plan", { sql: "SELECT id FROM orders", manifestStr });
    expect(await plan.json()).toBe('SELECT "orders"."ID" AS "id" FROM "ORDERS" AS "orders"');
    const rules = [{ name: "r", requiredProperties: [], condition: "id > 1" }];
    const ruled = btoa(
      JSON.stringify({ catalog: "D", schema: "PUBLIC", models: [{ ...models[0], rowLevelAccessControls: rules }] }),
    );
    const plain = await service.post("/v3/connector/snowflake/query", { ...body, manifestStr: ruled });
    expect([plain.status, plain.headers.get("x-row-rules")]).toEqual([200, "plain"]);
    await plain.text();
    const sql = "SELECT id + 1 AS x FROM orders";
    const refused = await service.post("/v3/connector/snowflake/query", { ...body, sql, manifestStr: ruled });
    expect([refused.status, await refused.json()]).toMatchObject([422, { errorCode: expect.any(String) }]);
  });

  it("asks after a statement while its warehouse resumes, then answers 504 and cancels it, once", async () => {
    const before = snowflake.asked.length;
    const answer = await askResuming(snowflake.url, connectionInfo);
    expect([answer.status, await answer.json()]).toMatchObject([504, { errorCode: "DATABASE_TIMEOUT" }]);
    const asked = () => snowflake.asked.slice(before);
    await expect.poll(() => asked().filter((line) => line.endsWith("/cancel"))).toHaveLength(1);
    expect(asked().filter((line) => line === GET).length).toBeGreaterThan(1);
  });

  it("refuses a key that is not the user's, and shows nothing of it", async () => {
    const other = makeKeyPair().privateKey;
    const answer = await ask("version", { private_key: other });
    const body = await answer.json();
    expect([answer.status, body]).toMatchObject([422, { errorCode: "GET_CONNECTION_ERROR" }]);
    expect(JSON.stringify(body)).not.toContain(other.slice(30, 60));
  });
});

/** The outcome of a statement whose warehouse resumes for longer than the request may take. */
async function askResuming(internet: string, info: object): Promise<Response> {
  const service = await startWorker({ AUTH: "none", V2_PROFILE: "modern" }, { internet });
  const models = [
    { name: "t", tableReference: { table: "resuming" }, columns: [{ name: "id", type: "NUMBER(12,0)" }] },
  ];
  const manifestStr = btoa(JSON.stringify({ catalog: "D", schema: "PUBLIC", models }));
  const body = { sql: "SELECT count(*) AS n FROM t", manifestStr, connectionInfo: info };
  return service.post("/v3/connector/snowflake/query", body, { "x-wren-db-statement_timeout": "1" });
}

describe("by password", () => {
  let sessions: FakeSessions;
  beforeAll(async () => {
    sessions = await startFakeSessions();
  });
  afterAll(() => sessions?.close());
  const { private_key: _, ...byPassword } = { ...connectionInfo, password: PASSWORD };

  it("reads chunks in workerd, and leaves the session", async () => {
    const standIns = [
      [SNOWFLAKE, sessions.url],
      [STORAGE, `${sessions.url}/stored`],
    ] as const;
    const { answer } = await call(STATEMENTS.numbers(2500), { connectionInfo: byPassword, standIns });
    expect(answer).toMatchObject({ ok: true, rows: 2500, first: ["1n"] });
    await expect.poll(() => sessions.open.size).toBe(0);
    expect(sessions.asked.filter((line) => line.startsWith("GET /stored"))).toHaveLength(2);
  });

  it("is answered with 504 where a warehouse does not resume in time, and the statement aborted, once", async () => {
    const before = sessions.asked.length;
    const answer = await askResuming(sessions.url, byPassword);
    expect([answer.status, await answer.json()]).toMatchObject([504, { errorCode: "DATABASE_TIMEOUT" }]);
    const aborts = () => sessions.asked.slice(before).filter((line) => line.includes("/queries/v1/abort-request"));
    await expect.poll(aborts).toHaveLength(1);
  });

  it("is asked behind the service, and its password told to nobody", async () => {
    const service = await startWorker({ AUTH: "none", V2_PROFILE: "modern" }, { internet: sessions.url });
    const columns = [{ name: "id", type: "NUMBER(12,0)" }];
    const models = [{ name: "orders", tableReference: { table: "orders" }, columns }];
    const manifestStr = btoa(JSON.stringify({ catalog: "D", schema: "PUBLIC", models }));
    const ask = async (change: object) => {
      const body = { sql: "SELECT count(*) AS orders FROM orders", manifestStr };
      const info = { ...byPassword, ...change };
      const answer = await service.post("/v3/connector/snowflake/query", { ...body, connectionInfo: info });
      return [answer.status, JSON.stringify(await answer.json())] as const;
    };
    expect(await ask({})).toEqual([200, expect.stringContaining('"data":[[1]]')]);
    const [status, text] = await ask({ password: "wrong-hunter2" });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain("Incorrect username or password");
    expect(text).not.toContain("hunter2");
  });
});
