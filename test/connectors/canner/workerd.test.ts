/** The same connector inside workerd; the server is PostgreSQL, and not Canner. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { type CannerFixture, fieldsOf, startCannerFixture } from "./fixture.ts";

let fixture: CannerFixture;
let worker: TestWorker;
beforeAll(async () => {
  fixture = await startCannerFixture();
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await fixture?.close();
});

async function call(sql: string, change: Partial<WorkerCall> = {}): Promise<WorkerAnswer> {
  const connectionInfo = { ...fieldsOf(fixture.database), kwargs: { sslmode: "disable" } };
  const body: WorkerCall = { source: "canner", connectionInfo, sql, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as WorkerAnswer;
}

it("reads rows", async () => {
  const { numbers } = fixture.statements;
  expect(await call(numbers(20_000))).toMatchObject({ ok: true, rows: 20_000, first: [1] });
});

it("checks without running", async () => {
  expect(await call("SELECT pg_sleep(60)", { dryRun: true })).toMatchObject({ ok: true });
});

it.each<[string, Partial<WorkerCall>, string]>([
  ["its caller goes", { abortAfterMs: 100 }, "CANCELLED"],
  ["its time is over", { timeoutMs: 100 }, "STATEMENT_TIMEOUT"],
])("ends a statement on the server when %s", async (_, change, reason) => {
  const marker = `canner_${reason.toLowerCase()}`;
  expect(await call(`SELECT pg_sleep(60) /* ${marker} */`, change)).toMatchObject({ ok: false, reason });
  await expect.poll(() => fixture.running?.(marker), { timeout: 30_000 }).toBe(0);
});
