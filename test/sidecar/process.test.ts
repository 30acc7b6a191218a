import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../connectors/contract.ts";
import { eventually } from "../support/eventually.ts";
import { DUCKDB_STATEMENTS, type Playground, playground, statement } from "./duckdb/fixtures.ts";
import { CORRELATION_ID, connectorIn, endOfSidecar, SECRET, type SidecarProcess, startSidecar } from "./process.ts";

let ground: Playground;
const started: SidecarProcess[] = [];

beforeAll(() => {
  ground = playground();
  ground.write("data/a.csv", "x\n1\n2\n");
  ground.write("data/b.csv", "x\n3\n");
  symlinkSync(join(ground.outside, "secret.csv"), join(ground.root, "leak.csv"));
  mkdirSync(join(ground.base, "tmp"));
});
afterAll(async () => {
  await Promise.all(started.map((sidecar) => sidecar.stop()));
  ground.remove();
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<SidecarProcess> {
  const sidecar = await startSidecar({ FILE_ROOT: ground.root, TMPDIR: join(ground.base, "tmp"), ...settings });
  started.push(sidecar);
  return sidecar;
}

const files = (sidecar: SidecarProcess): Promise<Connector> => connectorIn(sidecar, "local_file", { url: "data" });
/** Whether the only slot of a sidecar is taken: a call is running, or its engine has not ended yet. */
const isBusy = async ({ url }: SidecarProcess): Promise<boolean> => (await fetch(`${url}/ready`)).status === 503;

describe("the process", () => {
  let sidecar: SidecarProcess;
  let connector: Connector;
  beforeAll(async () => {
    sidecar = await start();
    connector = await files(sidecar);
  });

  it("answers health and readiness", async () => {
    expect(await (await fetch(`${sidecar.url}/health`)).json()).toEqual({ status: "up" });
    expect(await (await fetch(`${sidecar.url}/ready`)).json()).toEqual({ status: "ready" });
  });

  it("serves files, SQL that opens files by paths of the root, and the catalogue", async () => {
    const named = await connector.query(statement('SELECT * FROM "data/*.csv" ORDER BY x', "data/*.csv"), patient());
    expect(await drain(named)).toEqual([[1n], [2n], [3n]]);
    for (const path of ["data/b.csv", "./data/b.csv", "data/b*.csv", join(ground.root, "data/b.csv")]) {
      expect(await drain(await connector.query(plain(`SELECT * FROM read_csv('${path}')`), patient()))).toEqual([[3n]]);
    }
    const tables = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
    expect(tables.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await connector.catalog({ kind: "version" }, patient())).toBe("Local File System");
    expect(await connector.dryRun(statement('SELECT x FROM "data/a.csv"', "data/a.csv"), patient())).toEqual({});
  });

  it.each([
    "SELECT * FROM read_csv('leak.csv')",
    "SELECT * FROM read_csv('*.csv')",
    "SELECT * FROM read_csv('../outside/secret.csv')",
    "SELECT * FROM read_csv('data/../../outside/secret.csv')",
    "SELECT * FROM read_csv('/etc/passwd')",
  ])("does not serve what is outside: %s", async (sql) => {
    expect(await failureOf(connector.query(plain(sql), patient()))).toMatchObject({ reason: "FILE_NOT_FOUND" });
  });

  it("tells failures whole", async () => {
    const failure = await failureOf(connector.query(plain("SELECT 'é😀', nope FROM range(1)"), patient()));
    expect(failure).toMatchObject({ reason: "SOURCE_INVALID_SQL", engineCode: "Binder", position: 14 });
    const late = "SELECT CASE WHEN i = 500000 THEN error('late') ELSE 'ok' END AS v FROM range(1000000) t(i)";
    expect(await failureOf(connector.query(plain(late), patient()).then(drain))).toMatchObject({
      reason: "SOURCE_ERROR",
      message: "Invalid Input Error: late",
    });
    const missing = await connectorIn(sidecar, "duckdb", { url: "data" });
    expect(await failureOf(missing.query(plain("SELECT 1"), patient()))).toMatchObject({
      reason: "DUCKDB_FILE_NOT_FOUND",
    });
    const denied = await connectorIn(sidecar, "postgres", { host: "127.0.0.1", port: 1, database: "d", user: "u" });
    expect(await failureOf(denied.query(plain("SELECT 1"), patient()))).toMatchObject({ reason: "EGRESS_DENIED" });
  });

  it("writes no SQL and no secret to its log", () => {
    const log = sidecar.lines.join("\n");
    expect(log).toContain('"event":"call"');
    for (const text of [SECRET, "read_csv", "nope", "SELECT", "passwd", ground.root]) expect(log).not.toContain(text);
  });

  it("is missed: a stream that it leaves is no complete one, and nobody answers any more", async () => {
    const result = await connector.query(plain(DUCKDB_STATEMENTS.endless), patient());
    await result.batches.next();
    await sidecar.stop();
    expect(await failureOf(drain(result))).toMatchObject({ reason: "UPSTREAM_PROTOCOL" });
    expect(await failureOf(connector.query(plain("SELECT 1"), patient()))).toMatchObject({
      reason: "SIDECAR_UNREACHABLE",
    });
  });
});

describe("a caller that goes", () => {
  it.each<[when: string, sql: string, batches: number]>([
    ["while nothing has come yet", DUCKDB_STATEMENTS.stuck, 0],
    ["between two batches", DUCKDB_STATEMENTS.endless, 2],
  ])("%s takes the engine's work with it", async (_, sql, batches) => {
    const sidecar = await start({ MAX_IN_FLIGHT: "1" });
    const connector = await files(sidecar);
    const caller = new AbortController();
    const asked = failureOf(
      connector.query(plain(sql), patient(caller.signal)).then(async (result) => {
        for (let i = 0; i < batches; i++) await result.batches.next();
        caller.abort();
        await result.batches.next();
      }),
    );
    await eventually(async () => expect(await isBusy(sidecar)).toBe(true));
    if (batches === 0) caller.abort();
    expect((await asked).reason).toBe("CANCELLED");
    await eventually(async () => expect(await isBusy(sidecar)).toBe(false));
    await eventually(() =>
      expect(sidecar.log.at(-1)).toMatchObject({ event: "call", outcome: "cancelled", correlationId: CORRELATION_ID }),
    );
    await sidecar.stop();
  });
});

describe("many statements at once", () => {
  it("beyond the places wait, and are told to come back", async () => {
    const sidecar = await start({ DUCKDB_STATEMENTS: "6", DUCKDB_THREADS: "1", CONNECT_TIMEOUT_MS: "1000" });
    const connector = await files(sidecar);
    const caller = new AbortController();
    // One that finds its place taken, by a question below while processes start, asks again until it has one.
    const stuck = Array.from({ length: 6 }, async () => {
      for (;;) {
        const { reason } = await failureOf(connector.query(plain(DUCKDB_STATEMENTS.stuck), patient(caller.signal)));
        if (reason !== "OVERLOADED") return;
      }
    });
    // Until all of them have a process, which a busy machine takes its time to start.
    await eventually(async () => {
      const query = connector.query(statement('SELECT * FROM "data/a.csv"', "data/a.csv"), patient());
      expect(await failureOf(query.then(drain))).toMatchObject({
        reason: "OVERLOADED",
        retryAfter: 1,
        message: "All places for statements were taken for 1000 ms.",
      });
    });
    caller.abort();
    await Promise.all(stuck);
    await eventually(async () =>
      expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1]]),
    );
  });
});

describe("SIGTERM", () => {
  it("lets what runs finish, takes nothing new, and ends with 0 and nothing left behind", async () => {
    const tmp = join(ground.base, "tmp-ending");
    mkdirSync(tmp);
    const sidecar = await start({ TMPDIR: tmp });
    expect(readdirSync(tmp)).toHaveLength(1);
    const connector = await files(sidecar);
    const result = await connector.query(plain("SELECT i FROM range(300000) t(i)"), patient());
    await result.batches.next();
    sidecar.child.kill("SIGTERM");
    await eventually(() =>
      expect(sidecar.log).toContainEqual(expect.objectContaining({ event: "draining", signal: "SIGTERM" })),
    );
    expect(await failureOf(connector.query(plain("SELECT 1"), patient()))).toMatchObject({
      reason: "SIDECAR_UNREACHABLE",
    });
    expect(await drain(result)).toHaveLength(300_000 - 2048);
    expect(await sidecar.exited).toBe(0);
    expect(sidecar.log.at(-1)).toMatchObject({ event: "stopped" });
    expect(readdirSync(tmp)).toEqual([]);
  });

  it("cuts what takes longer than it may", async () => {
    const sidecar = await start({ DRAIN_TIMEOUT_MS: "100" });
    const connector = await files(sidecar);
    const result = await connector.query(plain(DUCKDB_STATEMENTS.endless), patient());
    await result.batches.next();
    sidecar.child.kill("SIGTERM");
    expect(await failureOf(drain(result))).toMatchObject({ reason: "UPSTREAM_PROTOCOL" });
    expect(await sidecar.exited).toBe(0);
  });

  it("twice does not wait, and leaves nothing behind either", async () => {
    const tmp = join(ground.base, "tmp-killed");
    mkdirSync(tmp);
    const sidecar = await start({ MAX_IN_FLIGHT: "1", TMPDIR: tmp });
    const connector = await files(sidecar);
    const asked = failureOf(connector.query(plain(DUCKDB_STATEMENTS.stuck), patient()));
    await eventually(async () => expect(await isBusy(sidecar)).toBe(true));
    sidecar.child.kill("SIGTERM");
    await eventually(() => expect(sidecar.log).toContainEqual(expect.objectContaining({ event: "draining" })));
    sidecar.child.kill("SIGINT");
    await sidecar.exited;
    expect(sidecar.child.signalCode).toBe("SIGKILL");
    // An answer begins within 50 ms, or with its first rows: the signals may be sooner.
    expect((await asked).reason).toMatch(/^(?:UPSTREAM_PROTOCOL|SIDECAR_UNREACHABLE)$/);
    expect(readdirSync(tmp)).toEqual([]);
  });
});

describe("a sidecar that cannot start says why in one sentence", () => {
  it.each<[what: string, settings: Readonly<Record<string, string>>, sentence: string]>([
    ["no secret", { SIDECAR_SECRET: "" }, "SIDECAR_SECRET is not set."],
    [
      "a short secret",
      { SIDECAR_SECRET: "hunter2" },
      "SIDECAR_SECRET: Too small: expected string to have >=32 characters.",
    ],
    ["a port that is none", { PORT: "http" }, "PORT: Invalid input: expected number, received NaN."],
    ["a root that is not there", { FILE_ROOT: "/nowhere/at/all" }, "FILE_ROOT is not a readable directory (ENOENT)."],
    [
      "a host that is not its own",
      { HOST: "203.0.113.7" },
      "203.0.113.7 is no address of this machine; set HOST to one that is.",
    ],
  ])("%s", async (_, settings, sentence) => {
    expect(await endOfSidecar(settings)).toEqual({ code: 78, stderr: `The sidecar does not start: ${sentence}\n` });
  });

  it("a port in use", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await endOfSidecar({ PORT: String(port) });
    server.close();
    expect(code).toBe(78);
    expect(stderr).toBe(`The sidecar does not start: port ${port} of 127.0.0.1 is in use; set PORT to another one.\n`);
  });

  it("a file for a root", async () => {
    writeFileSync(join(ground.base, "file"), "");
    const { stderr } = await endOfSidecar({ FILE_ROOT: join(ground.base, "file") });
    expect(stderr).toBe("The sidecar does not start: FILE_ROOT is not a readable directory (ENOTDIR).\n");
  });

  it("but without a root it serves everything else", async () => {
    const sidecar = await startSidecar();
    started.push(sidecar);
    const failure = await failureOf((await files(sidecar)).query(plain("SELECT 1"), patient()));
    expect(failure).toMatchObject({
      reason: "NEEDS_SIDECAR",
      hint: "Start it with FILE_ROOT set to the directory of the files.",
    });
  });
});
