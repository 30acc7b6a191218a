/** The near end inside workerd, whose `fetch` is another one than Node's: what reaches the sidecar when a call is given up? */
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DUCKDB_STATEMENTS, type Playground, playground } from "../../sidecar/duckdb/fixtures.ts";
import { SECRET, type SidecarProcess, startSidecar } from "../../sidecar/process.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { RemoteAnswer, RemoteCall } from "./worker/worker.ts";

let ground: Playground;
let sidecar: SidecarProcess;
let worker: TestWorker;

beforeAll(async () => {
  ground = playground();
  [sidecar, worker] = await Promise.all([
    startSidecar({ FILE_ROOT: ground.root, MAX_IN_FLIGHT: "1" }),
    startTestWorker(join(import.meta.dirname, "worker/wrangler.toml")),
  ]);
});
afterAll(async () => {
  await worker?.dispose();
  await sidecar?.stop();
  ground.remove();
});

async function run(call: Partial<RemoteCall> & Pick<RemoteCall, "sql">): Promise<RemoteAnswer> {
  const body = JSON.stringify({ url: sidecar.url, secret: SECRET, ...call });
  const response = await worker.fetch("http://worker/", { method: "POST", body });
  return (await response.json()) as RemoteAnswer;
}

/** The sidecar has one place: when it is free again, the engine has ended. */
const isFree = async (): Promise<boolean> => (await fetch(`${sidecar.url}/ready`)).status === 200;

const free = (): Promise<void> => eventually(async () => expect(await isFree()).toBe(true));

describe("the remote client in workerd", () => {
  beforeEach(free);

  it("gets every row", async () => {
    expect(await run({ sql: DUCKDB_STATEMENTS.numbers(50_000) })).toEqual({ ok: true, rows: 50_000, first: "1" });
  });

  it("gets failures whole", async () => {
    const late = "SELECT CASE WHEN i = 100000 THEN error('late') ELSE 'ok' END AS v FROM range(200000) t(i)";
    expect(await run({ sql: late })).toEqual({
      ok: false,
      reason: "SOURCE_ERROR",
      message: "Invalid Input Error: late",
    });
    // The answer has ended before the engine has: the place is given back a moment later.
    await free();
    expect(await run({ sql: "SELECT 1", secret: "a secret that is not the sidecar's own" })).toMatchObject({
      reason: "SIDECAR_REFUSED",
    });
    expect(await run({ sql: "SELECT 1", url: "http://127.0.0.1:1" })).toMatchObject({ reason: "SIDECAR_UNREACHABLE" });
  });

  it.each<[how: string, call: Partial<RemoteCall> & Pick<RemoteCall, "sql">, outcome: object]>([
    ["stops reading", { sql: DUCKDB_STATEMENTS.endless, stopAfter: 5000 }, { ok: true }],
    ["aborts while nothing has come", { sql: DUCKDB_STATEMENTS.stuck, abortAfterMs: 500 }, { reason: "CANCELLED" }],
    ["aborts among the rows", { sql: DUCKDB_STATEMENTS.endless, abortAfterMs: 500 }, { reason: "CANCELLED" }],
    ["runs out of time", { sql: DUCKDB_STATEMENTS.stuck, timeoutMs: 300 }, { reason: "STATEMENT_TIMEOUT" }],
  ])("ends the engine's work when it %s", async (_, call, outcome) => {
    expect(await run(call)).toMatchObject(outcome);
    await free();
    expect(await run({ sql: "SELECT 1" })).toMatchObject({ ok: true, rows: 1 });
  });
});
