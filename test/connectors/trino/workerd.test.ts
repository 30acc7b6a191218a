/**
 * Statements over HTTP inside workerd, whose `fetch`, streams and aborts are not Node's. The server is a fake of the protocol
 * (`server.ts`).
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { type FakeTrino, startFakeTrino } from "./server.ts";

let worker: TestWorker;
let trino: FakeTrino;
beforeAll(async () => {
  trino = await startFakeTrino();
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await trino?.close();
});

/** The answer, and the requests that the source received meanwhile. */
async function call(sql: string, change: Partial<WorkerCall> = {}) {
  const before = trino.asked.length;
  const connectionInfo = { host: "http://127.0.0.1", port: trino.port, catalog: "c", schema: "s" };
  const body: WorkerCall = { source: "trino", connectionInfo, sql, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const asked = () => trino.asked.slice(before);
  return { answer: JSON.parse(text) as WorkerAnswer, asked };
}

const cancels = (asked: readonly string[]): string[] => asked.filter((line) => line.startsWith("DELETE"));

describe("in workerd", () => {
  it("reads pages as they are pulled, with every digit", async () => {
    const { answer, asked } = await call("SELECT n FROM t /* rows 2500 */");
    expect(answer).toMatchObject({ ok: true, rows: 2500, first: ["9007199254740993n"] });
    expect(asked().map((line) => line.split(" ")[0])).toEqual(["POST", "GET", "GET", "GET"]);
  });

  it("checks a statement", async () => {
    expect((await call("SELECT 1 /* rows 1 */", { dryRun: true })).answer).toMatchObject({ ok: true });
  });

  it.each<[string, string, Partial<WorkerCall>, object]>([
    ["its caller goes", "SELECT 1", { abortAfterMs: 150 }, { ok: false, reason: "CANCELLED" }],
    ["its time is over", "SELECT 1", { timeoutMs: 150 }, { ok: false, reason: "STATEMENT_TIMEOUT" }],
    ["its reader has enough", "SELECT 1 /* rows 5000 */", { stopAfter: 1 }, { ok: true, rows: 1000 }],
  ])("cancels a statement, once, when %s", async (_, sql, change, expected) => {
    const { answer, asked } = await call(sql, change);
    expect(answer).toMatchObject(expected);
    await expect.poll(() => cancels(asked()), { timeout: 30_000, interval: 20 }).toHaveLength(1);
    // Nothing is asked behind it, once more least of all.
    const then = asked().length;
    await call("SELECT 1 /* rows 1 */");
    expect(cancels(asked())).toHaveLength(1);
    expect(asked().at(then - 1)).toMatch(/^DELETE/);
  });
});
