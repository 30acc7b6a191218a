/**
 * A process whose event loop does not turn. SIGSTOP makes one: it lives, its sockets accept, and it answers nothing. The service
 * has to notice, to end the process and to start it again, and has to leave processes alone after it was suspended itself.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { descendantsOf, isRunning, type RunningService, startService } from "../support/service.ts";

const INTERVAL_MS = 1000;
const PARTS = ["sidecar/main.ts", "workerd.capnp", "files.capnp"] as const;
type Part = (typeof PARTS)[number];

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "n", type: "INTEGER" }] }],
  }),
).toString("base64");

let service: RunningService;
beforeAll(async () => {
  service = await startService({ FILES_WORKER: "on", PROBE_INTERVAL_MS: String(INTERVAL_MS) });
});
afterAll(async () => {
  for (const part of PARTS) if (pidOf(part) !== 0) process.kill(pidOf(part), "SIGCONT");
  await service.stop();
});

const pidOf = (part: Part | "serve.ts"): number =>
  descendantsOf(service.pid).find(({ command }) => command.includes(part))?.pid ?? 0;

/** The status of a question that only the sidecar answers; 0 without an answer in time. */
const asked = (path: string, body?: object): Promise<number> =>
  fetch(`${service.url}${path}`, {
    signal: AbortSignal.timeout(5000),
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  }).then(
    ({ status }) => status,
    () => 0,
  );
const tables = (): Promise<number> =>
  asked("/v3/connector/local_file/metadata/tables", { connectionInfo: { url: "/tpch", format: "parquet" } });
const plan = (): Promise<number> => asked("/v3/connector/postgres/dry-plan", { sql: "SELECT n FROM t", manifestStr });
const ready = (): Promise<number> => asked("/ready");

/** Stops a process for good. Resolves when another one has taken its place. */
async function hang(part: Part): Promise<void> {
  const pid = pidOf(part);
  expect(pid, `there is a process of its own for ${part}`).not.toBe(0);
  process.kill(pid, "SIGSTOP");
  await replaced(part, pid);
}

async function replaced(part: Part, pid: number): Promise<void> {
  await eventually(() => expect([isRunning(pid), pidOf(part) !== 0]).toEqual([false, true]));
}

describe("a process that hangs is ended and started again", () => {
  it("the sidecar", async () => {
    expect(await tables()).toBe(200);
    await hang("sidecar/main.ts");
    await eventually(async () => expect(await tables()).toBe(200));
    expect(service.output()).toContain("The sidecar has not answered for 3000 ms and is ended.\n");
  });

  it("the API", async () => {
    await hang("workerd.capnp");
    await eventually(async () => expect(await plan()).toBe(200));
  });

  it("the files Worker, while the API plans and reads files", async () => {
    const pid = pidOf("files.capnp");
    expect(pid, "there is a process of its own for the files Worker").not.toBe(0);
    process.kill(pid, "SIGSTOP");
    expect([await plan(), await tables()]).toEqual([200, 200]);
    await replaced("files.capnp", pid);
    await eventually(async () => expect(await ready()).toBe(200));
  });
});

describe("a supervisor that was suspended", () => {
  it("ends no process that is well", async () => {
    await eventually(async () => expect([await ready(), await tables()]).toEqual([200, 200]));
    const [api, sidecar] = [pidOf("workerd.capnp"), pidOf("sidecar/main.ts")];
    const suspended = performance.now();
    process.kill(pidOf("serve.ts"), "SIGSTOP");
    await eventually(() => expect(performance.now() - suspended).toBeGreaterThan(5 * INTERVAL_MS));
    process.kill(pidOf("serve.ts"), "SIGCONT");
    // After three unanswered probes a process is ended; a process that answers is not.
    await hang("files.capnp");
    expect([pidOf("workerd.capnp"), pidOf("sidecar/main.ts")]).toEqual([api, sidecar]);
  });
});
