/** The same connector inside workerd; the server is PostgreSQL, and not Redshift. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { fieldsOf, type RedshiftFixture, startRedshiftFixture } from "./fixture.ts";

let fixture: RedshiftFixture;
let worker: TestWorker;
beforeAll(async () => {
  fixture = await startRedshiftFixture();
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await fixture?.close();
});

async function call(sql: string, change: Partial<WorkerCall> = {}): Promise<WorkerAnswer> {
  const body: WorkerCall = { source: "redshift", connectionInfo: fieldsOf(fixture.database), sql, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as WorkerAnswer;
}

it("reads rows", async () => {
  const { numbers } = fixture.statements;
  expect(await call(numbers(20_000))).toMatchObject({ ok: true, rows: 20_000, first: [1] });
});

it("checks without running", async () => {
  expect(await call("SELECT record_effect()", { dryRun: true })).toMatchObject({ ok: true });
  expect(await fixture.effects?.()).toBe(0);
});

it("ends a statement on the server when its caller goes", async () => {
  const sql = "SELECT pg_sleep(60) /* redshift_workerd */";
  expect(await call(sql, { abortAfterMs: 100 })).toMatchObject({ ok: false, reason: "CANCELLED" });
  await expect.poll(() => fixture.running?.("redshift_workerd"), { timeout: 30_000 }).toBe(0);
});

it("signs by WebCrypto, and tells what AWS says", async () => {
  const connectionInfo = {
    redshift_type: "redshift_iam",
    cluster_identifier: "c",
    region: "eu-west-1",
    database: "dev",
    user: "u",
    access_key_id: "AKIAEXAMPLE",
    access_key_secret: "topsecretkey",
  };
  // Nobody listens there.
  const standIns = [["https://redshift.eu-west-1.amazonaws.com", "http://127.0.0.1:9"]] as const;
  expect(await call("SELECT 1", { connectionInfo, standIns })).toMatchObject({ ok: false, reason: "HOST_UNREACHABLE" });
});
