/** The same connector inside workerd, over `cloudflare:sockets`. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { type DorisFixture, startDorisFixture } from "./fixture.ts";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "in workerd" : withoutMySql("mysql"), () => {
  let worker: TestWorker;
  let fixture: DorisFixture;
  beforeAll(async () => {
    [worker, fixture] = await Promise.all([
      startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml")),
      startDorisFixture(),
    ]);
  });
  afterAll(async () => {
    await worker?.dispose();
    await fixture?.close();
  });

  const call = async (sql: string, change: Partial<WorkerCall> = {}): Promise<WorkerAnswer> => {
    const body: WorkerCall = { source: "doris", connectionInfo: fixture.fields, sql, ...change };
    const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as WorkerAnswer;
  };

  it("reads values and many rows", async () => {
    expect(await call("SELECT 1.10, 'ä𝒳', NULL, CAST('2024-07-01 12:00:00' AS DATETIME)")).toMatchObject({
      ok: true,
      first: ["1.10", "ä𝒳", null, "1719835200000000n"],
    });
    expect(await call(fixture.statements.numbers(30_000))).toMatchObject({ ok: true, rows: 30_000 });
  });

  it("ends on the server what nobody waits for", async () => {
    const marker = `workerd_${process.pid}`;
    expect(await call(`${fixture.statements.stuck} /* ${marker} */`, { abortAfterMs: 300 })).toMatchObject({
      ok: false,
    });
    await expect.poll(() => fixture.running?.(marker), { timeout: 30_000, interval: 20 }).toBe(0);
  });
});
