/**
 * Damage that a statement may do to its own process, which no other statement may notice.
 *
 * Tested on DuckDB 1.4.4, as the tables below show: `json_structure`, `json_contains`, `from_json`, `from_json_strict`
 * and `json_transform` over 50,000 levels of objects or of arrays, and a file of them; `repeat`, `lpad`, `replace` and
 * `list_resize`, which make a long text or list from a number; `levenshtein` over one large value, which the engine
 * does not interrupt. Other functions were not searched.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EnginePool } from "../../sidecar/engine-process/engine-pool.ts";
import { Slots } from "../../sidecar/slots.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../connectors/contract.ts";
import { eventually } from "../support/eventually.ts";
import { descendantsOf, isRunning } from "../support/service.ts";
import { DUCKDB_STATEMENTS, type Playground, playground, statement } from "./duckdb/fixtures.ts";
import { connectorIn, SECRET, type SidecarProcess, startSidecar } from "./process.ts";

const OBJECTS = `repeat('{"a":', 50000) || '1' || repeat('}', 50000)`;
const ARRAYS = "repeat('[', 50000) || '1' || repeat(']', 50000)";
const isLinux = process.platform === "linux";

let ground: Playground;
let sidecar: SidecarProcess;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  for (let n = 0; n < 60; n++) ground.write(`many/${n}.json`, `{"n": ${n}}\n`);
  ground.write("fine.json", '{"a": 1}\n');
  ground.write("deep.json", `{"a": ${"[".repeat(50_000)}1${"]".repeat(50_000)}}\n`);
  sidecar = await startSidecar({ FILE_ROOT: ground.root, DUCKDB_MEMORY: "256MB" });
  connector = await connectorIn(sidecar, "local_file", { url: "/", format: "json" });
});
afterAll(async () => {
  await sidecar.stop();
  ground.remove();
});

/** One statement at work while others do their worst. */
async function besides<T>(work: () => Promise<T>): Promise<T> {
  const bystander = await connector.query(plain("SELECT i FROM range(200000) t(i)"), patient());
  const first = await bystander.batches.next();
  const outcome = await work();
  expect((first.value?.length ?? 0) + (await drain(bystander)).length).toBe(200_000);
  expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1]]);
  return outcome;
}

const ask = (sql: string, ...files: string[]): Promise<unknown> =>
  connector.query(statement(sql, ...files), patient()).then(drain);

describe("a statement that breaks its process", () => {
  it.each([
    `SELECT json_structure(${OBJECTS})`,
    `SELECT json_structure(${ARRAYS})`,
    `SELECT json_contains(${OBJECTS}, '2')`,
    `SELECT from_json(${OBJECTS}, '{"a": "JSON"}')`,
    `SELECT from_json_strict(${OBJECTS}, '{"a": "JSON"}')`,
    `SELECT json_transform(${ARRAYS}, '["JSON"]')`,
    `SELECT json_structure(${OBJECTS}), i FROM range(100000) t(i)`,
  ])("%s is answered or fails alone", async (sql) => {
    const outcome = await besides(() =>
      ask(sql).then(
        () => "answered",
        (error: unknown) => error,
      ),
    );
    if (outcome === "answered") return;
    expect(outcome).toMatchObject({ name: "ConnectorFailure", reason: expect.stringMatching(/^SOURCE_/) });
  });

  it("by a crash is told so, and that it is lost alone", async () => {
    expect(await besides(() => failureOf(ask(`SELECT json_structure(${OBJECTS})`)))).toMatchObject({
      reason: "SOURCE_CRASHED",
      engineCode: "SIGSEGV",
      message: "The engine crashed over the statement; only this statement is lost.",
    });
  });

  it("by a file is told so too", async () => {
    const failure = await besides(() => failureOf(ask('SELECT * FROM "deep.json"', "deep.json")));
    expect(failure.reason).toBe("SOURCE_CRASHED");
    expect(await ask('SELECT * FROM "fine.json"', "fine.json")).toEqual([[1n]]);
  });

  it("by a file is left out of the listing of its directory, like any file that cannot be read", async () => {
    const tables = await besides(() => connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient()));
    expect(tables.map(({ name }) => name)).toEqual(["fine", "many"]);
  });

  it("after its first rows ends no answer that looks complete", async () => {
    const sql = `SELECT CASE WHEN i <> 500000 THEN 'fine' ELSE json_structure(${OBJECTS.replace("1", "' || i || '")})::varchar END AS v FROM range(1000000) t(i)`;
    const result = await connector.query(plain(sql), patient());
    expect((await result.batches.next()).value).toHaveLength(2048);
    expect(await besides(() => failureOf(drain(result)))).toMatchObject({ reason: "SOURCE_CRASHED" });
  });
});

it("reads as many files of JSON as there are, some by which it tells their columns", async () => {
  for (let turn = 0; turn < 3; turn++) {
    const [one, two] = await Promise.all(
      ["count(*)", "sum(n)::bigint"].map((value) => ask(`SELECT ${value} FROM "many/*.json"`, "many/*.json")),
    );
    expect([one, two]).toEqual([[[60n]], [[1770n]]]);
  }
});

describe.runIf(isLinux)("memory beside the engine's own count", { timeout: 150_000 }, () => {
  it.each([
    "SELECT length(repeat('x', 3000000000))",
    "SELECT length(lpad('x', 2147483647, 'y'))",
    "SELECT length(replace(repeat('a', 100000000), 'a', repeat('b', 100)))",
    "SELECT len(list_resize([1], 2000000000))",
  ])("%s is refused its memory, and fails alone", async (sql) => {
    // `lpad` fills its memory a character at a time, for most of a minute on a busy machine.
    const call = { ...patient(), timeoutMs: 140_000 };
    expect(await besides(() => failureOf(connector.query(plain(sql), call).then(drain)))).toMatchObject({
      reason: "SOURCE_OUT_OF_MEMORY",
      hint: "Read less at once, or raise the sidecar's DUCKDB_MEMORY.",
    });
  });

  it("is held by the system to what the log says", async () => {
    const told = sidecar.log.find(({ event }) => event === "listening")?.engineMemoryLimit;
    expect(told).toBeGreaterThan(256e6);
    expect(told).toBeLessThan(256e6 + 1.6e9);
    const limits = enginesOf(sidecar).map(({ pid }) => readFileSync(`/proc/${pid}/limits`, "utf8"));
    expect(limits.length).toBeGreaterThan(0);
    for (const text of limits)
      expect(/^Max data size\s+(\d+)\s+(\d+)/m.exec(text)?.slice(1)).toEqual([`${told}`, `${told}`]);
  });
});

/** Takes half a minute of one uninterrupted call, and little memory. */
const DEAF = "SELECT levenshtein(repeat('a', 250000), repeat('b', 250000))";

describe("a statement that does not listen", () => {
  it.each<[end: string, ask: (deaf: Connector) => Promise<unknown>, reason: string]>([
    ["its time is up", (deaf) => deaf.query(plain(DEAF), { ...patient(), timeoutMs: 300 }), "STATEMENT_TIMEOUT"],
    ["its caller goes", (deaf) => deaf.query(plain(DEAF), patient(AbortSignal.timeout(300))), "CANCELLED"],
  ])("ends when %s, and its place is free at once", async (_, work, reason) => {
    const narrow = await startSidecar({ FILE_ROOT: ground.root, DUCKDB_STATEMENTS: "1" });
    const deaf = await connectorIn(narrow, "local_file", {});
    expect((await failureOf(work(deaf))).reason).toBe(reason);
    expect(await drain(await deaf.query(plain("SELECT 1"), patient()))).toEqual([[1]]);
    await narrow.stop();
  });
});

describe.runIf(isLinux)("a reader that stops", () => {
  it("stops the engine's process, in memory and in what it sends", async () => {
    const slow = await startSidecar({ FILE_ROOT: ground.root, DUCKDB_STATEMENTS: "1", DUCKDB_SPARES: "0" });
    const open = await connectorIn(slow, "local_file", {});
    const result = await open.query(plain(DUCKDB_STATEMENTS.endless), patient());
    await result.batches.next();
    const pids = enginesOf(slow).map(({ pid }) => pid);
    expect(pids).toHaveLength(1);
    const written = (): number => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pids[0]}/io`, "utf8"))?.[1]);
    let before = -1;
    await eventually(() => {
      const [last, now] = [before, written()];
      before = now;
      // All buffers on the way are full, and it writes no more.
      expect(now).toBe(last);
    });
    expect(written()).toBeLessThan(64e6);
    expect((await result.batches.next()).value?.length).toBeGreaterThan(0);
    await result.close();
    await slow.stop();
  });
});

describe("the processes", () => {
  it.runIf(isLinux)("know no setting of the sidecar", () => {
    const engines = enginesOf(sidecar);
    expect(engines.length).toBeGreaterThan(0);
    for (const { pid, command } of engines) {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(environment).not.toContain("SIDECAR");
      expect(environment + command).not.toContain(SECRET);
    }
  });

  it("cannot be printed through, and print nothing into the log", async () => {
    const lines = sidecar.lines.length;
    await ask("SELECT 1").catch(() => undefined);
    const print = "SELECT * FROM enable_logging('QueryLog', storage = 'stdout')";
    await ask(print).catch(() => undefined);
    const events = (): unknown[] => sidecar.lines.slice(lines).map((line) => JSON.parse(line).event);
    await eventually(() => expect(events()).toHaveLength(2));
    expect(events()).toEqual(["call", "call"]);
  });

  it.each<[state: string, sql: string | undefined]>([
    ["wait", undefined],
    ["send rows", DUCKDB_STATEMENTS.endless],
    ["work", DUCKDB_STATEMENTS.stuck],
    ["do not listen", DEAF],
  ])("that %s end with a sidecar that is killed, and leave no files", async (_, sql) => {
    const temporary = mkdtempSync(join(ground.base, "tmp-"));
    const doomed = await startSidecar({ FILE_ROOT: ground.root, TMPDIR: temporary, MAX_IN_FLIGHT: "1" });
    const open = await connectorIn(doomed, "local_file", {});
    const asked = sql === undefined ? undefined : failureOf(open.query(plain(sql), patient()).then(drain));
    if (sql !== undefined) await eventually(async () => expect(await isBusy(doomed)).toBe(true));
    const engines = enginesOf(doomed);
    expect(engines.length).toBeGreaterThan(0);
    process.kill(doomed.pid, "SIGKILL");
    await asked;
    await eventually(() => expect(engines.filter(({ pid }) => isRunning(pid))).toEqual([]));
    // A spare that was only being started has its directory, too.
    const [own = ""] = readdirSync(temporary);
    const left = (): string[] => readdirSync(join(temporary, own)).filter((name) => name.startsWith("engine-"));
    await eventually(() => expect(left()).toEqual([]));
    await doomed.stop();
  });

  it("that cannot be started are an error of whoever needs one", async () => {
    const failures: string[] = [];
    const pool = poolOf("gone", (message) => failures.push(message));
    await expect(pool.open()).rejects.toThrow(/^An engine's process ended before it was ready/);
    expect(await failureOf(pool.take("anybody", patient().signal, () => undefined))).toMatchObject({
      reason: "OVERLOADED",
      retryAfter: 1,
    });
    expect(failures).toEqual([expect.stringContaining("ENOENT")]);
  });

  it("for which there is no directory leave their places to others", async () => {
    const pool = poolOf(".", () => undefined, join(ground.base, "removed"));
    for (const _ of [1, 2, 3]) {
      const failure = await failureOf(pool.take("anybody", patient().signal, () => undefined));
      expect(failure).toMatchObject({ message: "No process could be started for the statement." });
    }
  });
});

function poolOf(
  root: string,
  onFailure: (message: string) => void,
  temporaryDirectory = mkdtempSync(join(ground.base, "pool-")),
): EnginePool {
  const path = join(ground.root, root);
  return new EnginePool({
    processes: {
      root: { path, configured: path },
      memory: "256MB",
      threads: 1,
      temporaryDirectory,
    },
    spares: 1,
    slots: new Slots({ places: 2, waitMs: 1000, holdMs: 60_000 }),
    onFailure: ({ message }) => onFailure(message),
  });
}

/** Whether the only slot of a sidecar is taken. */
const isBusy = async ({ url }: SidecarProcess): Promise<boolean> => (await fetch(`${url}/ready`)).status === 503;

function enginesOf({ pid }: SidecarProcess): ReturnType<typeof descendantsOf> {
  return descendantsOf(pid).filter(({ command }) => command.includes("engine-process/child.ts"));
}
