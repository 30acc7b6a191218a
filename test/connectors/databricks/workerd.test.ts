/** The connector of Databricks inside workerd; the server is a fake of the API and of a storage (`server.ts`). */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { type FakeWorkspace, startFakeWorkspace } from "./server.ts";

const WORKSPACE = "https://dbc-1.cloud.databricks.com";

let worker: TestWorker;
let workspace: FakeWorkspace;
beforeAll(async () => {
  workspace = await startFakeWorkspace(WORKSPACE);
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await workspace?.close();
});

async function call(sql: string, change: Partial<WorkerCall> = {}) {
  const before = workspace.asked.length;
  const connectionInfo = { serverHostname: WORKSPACE, httpPath: "/sql/1.0/warehouses/1", accessToken: "dapi" };
  const standIns = [[WORKSPACE, workspace.url]] as const;
  const body: WorkerCall = { source: "databricks", connectionInfo, sql, standIns, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { answer: JSON.parse(text) as WorkerAnswer, asked: () => workspace.asked.slice(before) };
}

describe("in workerd", () => {
  it("reads parts as they are pulled, with every digit", async () => {
    const { answer, asked } = await call("SELECT n FROM t /* rows 2500 */");
    expect(answer).toMatchObject({ ok: true, rows: 2500, first: ["9007199254740993n"] });
    expect(asked()).toEqual([
      "POST /api/2.0/sql/statements",
      "GET /rows/id/0",
      "GET /api/2.0/sql/statements/id/result/chunks/1",
      "GET /rows/id/1",
      "GET /api/2.0/sql/statements/id/result/chunks/2",
      "GET /rows/id/2",
    ]);
  });

  it("fetches no more than is read", async () => {
    const { answer, asked } = await call("SELECT n FROM t /* rows 5000 */", { stopAfter: 1 });
    expect(answer).toMatchObject({ ok: true, rows: 1000 });
    expect(asked()).toEqual(["POST /api/2.0/sql/statements", "GET /rows/id/0"]);
  });

  it("checks a statement, without reading what it says", async () => {
    const { answer, asked } = await call("SELECT 1 /* rows 1 */", { dryRun: true });
    expect(answer).toMatchObject({ ok: true });
    expect(asked()).toEqual(["POST /api/2.0/sql/statements"]);
  });

  it.each<[string, Partial<WorkerCall>, string]>([
    ["its caller goes", { abortAfterMs: 150 }, "CANCELLED"],
    ["its time is over", { timeoutMs: 150 }, "STATEMENT_TIMEOUT"],
  ])("cancels a statement, once, when %s", async (_, change, reason) => {
    const { answer, asked } = await call("SELECT 1", change);
    expect(answer).toMatchObject({ ok: false, reason });
    const cancels = () => asked().filter((line) => line.endsWith("/cancel"));
    await expect.poll(cancels, { timeout: 30_000, interval: 20 }).toHaveLength(1);
    await call("SELECT 1 /* rows 1 */");
    expect(cancels()).toHaveLength(1);
  });
});
