/** Athena's client inside workerd; the server is a fake of its API (`server.ts`). */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { type FakeAthenaServer, startFakeAthena } from "./server.ts";

let worker: TestWorker;
let athena: FakeAthenaServer;
beforeAll(async () => {
  athena = await startFakeAthena();
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await athena?.close();
});

async function call(sql: string, change: Partial<WorkerCall> = {}) {
  const before = athena.asked.length;
  const connectionInfo = {
    s3_staging_dir: "s3://bucket/q/",
    region_name: "eu-west-1",
    aws_access_key_id: "AKIAEXAMPLE",
    aws_secret_access_key: "secret",
  };
  const standIns = [["https://athena.eu-west-1.amazonaws.com", athena.url]] as const;
  const body: WorkerCall = { source: "athena", connectionInfo, sql, standIns, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { answer: JSON.parse(text) as WorkerAnswer, asked: () => athena.asked.slice(before) };
}

describe("in workerd", () => {
  it("reads pages as they are pulled, with every digit", async () => {
    const { answer, asked } = await call("SELECT n FROM t /* rows 2500 */");
    expect(answer).toMatchObject({ ok: true, rows: 2500, first: ["9007199254740993n"] });
    expect(asked()).toEqual([
      "StartQueryExecution",
      "GetQueryExecution",
      "GetQueryResults",
      "GetQueryResults",
      "GetQueryResults",
    ]);
  });

  it("checks a statement, without reading what it says", async () => {
    const { answer, asked } = await call("SELECT 1 /* rows 1 */", { dryRun: true });
    expect(answer).toMatchObject({ ok: true });
    expect(asked()).toEqual(["StartQueryExecution", "GetQueryExecution"]);
  });

  it.each<[string, Partial<WorkerCall>, string]>([
    ["its caller goes", { abortAfterMs: 150 }, "CANCELLED"],
    ["its time is over", { timeoutMs: 150 }, "STATEMENT_TIMEOUT"],
  ])("stops a statement, once, when %s", async (_, change, reason) => {
    const { answer, asked } = await call("SELECT 1", change);
    expect(answer).toMatchObject({ ok: false, reason });
    const stops = () => asked().filter((name) => name === "StopQueryExecution");
    await expect.poll(stops, { timeout: 30_000, interval: 20 }).toHaveLength(1);
    await call("SELECT 1 /* rows 1 */");
    expect(stops()).toHaveLength(1);
  });
});
