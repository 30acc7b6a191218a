/** ClickHouse's engine asked from inside workerd, whose `fetch`, compression, streams and aborts are not Node's. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClickHouseTestDatabase, startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "in workerd" : WITHOUT_CLICKHOUSE, () => {
  let worker: TestWorker;
  let database: ClickHouseTestDatabase;
  beforeAll(async () => {
    database = await startClickHouse();
    worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
  });
  afterAll(async () => {
    await worker?.dispose();
    await database?.stop();
  });

  async function call(sql: string, change: Partial<WorkerCall> = {}): Promise<WorkerAnswer> {
    const body: WorkerCall = { source: "clickhouse", connectionInfo: database.fields, sql, ...change };
    const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text) as WorkerAnswer;
  }

  const running = async (marker: string): Promise<number> => {
    const sql = `SELECT count() FROM system.processes WHERE query LIKE '%${marker}%' AND query NOT LIKE '%system.processes%'`;
    return Number((await database.query(sql))[0]?.[0]);
  };

  it("reads rows as they come, with every digit", async () => {
    const sql = "SELECT number + 9007199254740993 AS n, repeat('é', 100) FROM numbers(100000) ORDER BY n";
    const answer = await call(sql);
    expect(answer).toMatchObject({ ok: true, rows: 100_000, first: ["9007199254740993n", "é".repeat(100)] });
  });

  it("checks a statement", async () => {
    expect(await call("SELECT 1", { dryRun: true })).toMatchObject({ ok: true });
    expect(await call("SELECT missing", { dryRun: true })).toMatchObject({ ok: false, reason: "SOURCE_INVALID_SQL" });
  });

  it("tells what fails behind the first rows", async () => {
    const sql = "SELECT throwIf(number = 500000) FROM numbers(1000000) SETTINGS max_block_size = 1000";
    expect(await call(sql)).toMatchObject({ ok: false, reason: "SOURCE_ERROR", engineCode: "395" });
  });

  const ENDLESS = "SELECT number FROM numbers(1000000000000)";
  const STUCK = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 7";

  it.each<[string, string, Partial<WorkerCall>, object]>([
    ["its caller goes", STUCK, { abortAfterMs: 150 }, { ok: false, reason: "CANCELLED" }],
    ["its caller goes between rows", ENDLESS, { abortAfterMs: 150 }, { ok: false, reason: "CANCELLED" }],
    ["its time is over", STUCK, { timeoutMs: 150 }, { ok: false, reason: "STATEMENT_TIMEOUT" }],
    ["its reader has enough", ENDLESS, { stopAfter: 1 }, { ok: true }],
  ])("ends a statement on the engine when %s", async (what, sql, change, expected) => {
    const marker = `workerd ${what}`;
    expect(await call(`${sql} /* ${marker} */`, change)).toMatchObject(expected);
    await expect.poll(() => running(marker), { timeout: 30_000, interval: 20 }).toBe(0);
  });
});
