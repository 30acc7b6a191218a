/**
 * Which process serves which call, and that nothing of a statement is there for the next one of its owner.
 *
 * Searched for what a statement leaves to another engine of its process: settings, granted files and directories, views,
 * attached databases, spilled files, random numbers' seed, and the tables by which DuckDB 1.4.4 tells of itself.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type EngineLease, EnginePool, type EnginePoolOptions } from "../../sidecar/engine-process/engine-pool.ts";
import { EngineRelay } from "../../sidecar/engine-process/engine-relay.ts";
import { Slots } from "../../sidecar/slots.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import type { CallOptions, Statement } from "../../src/connectors/connector.ts";
import type { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ConnectorCall } from "../../src/connectors/remote/protocol.ts";
import { readFrames } from "../../src/result/encode/frames/reader.ts";
import { type FrameAnswer, frameStream } from "../../src/result/encode/frames/writer.ts";
import type { ResultStream, Row } from "../../src/result/types.ts";
import { failureOf, patient, plain } from "../connectors/contract.ts";
import { eventually } from "../support/eventually.ts";
import { DUCKDB_STATEMENTS, makeWith, type Playground, playground, rowsOf, statement } from "./duckdb/fixtures.ts";

const CSV: FileFields = { url: "/", format: "csv" };

let ground: Playground;
let pool: EnginePool;
let leases: EngineLease[];
/** Whom each process has served. */
let owners: Map<unknown, Set<unknown>>;

beforeAll(async () => {
  ground = playground();
  ground.write("t.csv", "a,b\n1,x\n2,y\n");
  ground.write("lone/u.csv", "a\n7\n");
  await makeWith(["CREATE TABLE t AS SELECT 5 AS a"], join(ground.root, "shop.duckdb"));
});
afterAll(() => ground.remove());
afterEach(() => pool.close());

/** A pool whose processes are known afterwards, in the order of the calls. */
function open(options: Partial<EnginePoolOptions> = {}): void {
  pool = new EnginePool({
    processes: {
      root: { path: ground.root, configured: ground.root },
      memory: "256MB",
      threads: 1,
      temporaryDirectory: mkdtempSync(join(ground.base, "pool-")),
    },
    spares: 2,
    slots: new Slots({ places: 2, waitMs: 5000, holdMs: 60_000 }),
    onFailure: (error) => expect.unreachable(error.message),
    ...options,
  });
  leases = [];
  owners = new Map();
  // Each process is then started for a call that found none.
  vi.spyOn(pool, "refill").mockResolvedValue();
  const take = pool.take.bind(pool);
  vi.spyOn(pool, "take").mockImplementation(async (owner, signal, makeWay) => {
    const lease = await take(owner, signal, makeWay);
    leases.push(lease);
    const { pid } = lease.process;
    owners.set(pid, (owners.get(pid) ?? new Set()).add(owner));
    return lease;
  });
}

const pids = (): unknown[] => leases.map(({ process }) => process.pid);

async function calling<T>(
  connection: FileFields,
  call: ConnectorCall,
  read: (a: FrameAnswer) => Promise<T>,
  key: Pick<CallOptions, "isolation"> = { isolation: "tests" },
): Promise<T> {
  const relay = new EngineRelay(pool, { connection, call });
  let failure: unknown;
  const describeFailure = (error: unknown): object => {
    failure = error;
    return {};
  };
  try {
    return await read(
      await readFrames(frameStream(relay.relay({ ...patient(), isolation: undefined, ...key }), { describeFailure }), {
        revive: () => failure,
      }),
    );
  } finally {
    await relay.close();
  }
}

function resultOf(answer: FrameAnswer): ResultStream {
  return answer.kind === "result" ? answer.stream : expect.unreachable("a report came");
}

const ask = (asked: Statement, connection = CSV, key?: Pick<CallOptions, "isolation">): Promise<Row[]> =>
  calling(connection, { name: "query", statement: asked }, (answer) => rowsOf(resultOf(answer)), key);

const ANN = { isolation: "ann" };
const BOB = { isolation: "bob" };

describe("the process of a call", () => {
  it("is that of the call before, when that had its whole answer and came by the same connection", async () => {
    open();
    expect(await ask(statement('SELECT a FROM "t.csv"', "t.csv"))).toEqual([[1n], [2n]]);
    expect(await ask(plain("SELECT 1"))).toEqual([[1]]);
    await calling(CSV, { name: "dry-run", statement: plain("SELECT 2") }, async ({ kind }) =>
      expect(kind).toBe("report"),
    );
    await calling(CSV, { name: "catalog", request: { kind: "version" } }, async ({ kind }) =>
      expect(kind).toBe("report"),
    );
    expect(await ask(plain("SELECT i FROM range(100000) t(i)"))).toHaveLength(100_000);
    expect(await ask(plain("SELECT 3"))).toEqual([[3]]);
    expect(new Set(pids()).size).toBe(1);
    expect(leases).toHaveLength(6);
  });

  it.each<[other: string, connection: FileFields]>([
    ["directory", { url: "/lone", format: "csv" }],
    ["format", { url: "/", format: "json" }],
    ["source", { url: "/", format: "duckdb" }],
  ])("is none that served another %s", async (_, connection) => {
    open();
    await ask(plain("SELECT 1"));
    await ask(plain("SELECT 1"), connection);
    await ask(plain("SELECT 1"));
    const [first, other, again] = pids();
    expect(other).not.toBe(first);
    expect(again).toBe(first);
  });

  it("is another one for each isolation key, and each keeps its own", async () => {
    open();
    for (const key of [ANN, BOB, ANN, BOB, ANN]) await ask(plain("SELECT 1"), CSV, key);
    const [ann, bob, ...others] = pids();
    expect(bob).not.toBe(ann);
    expect(others).toEqual([ann, bob, ann]);
  });

  it("is another one for each of several callers at once", async () => {
    open({ spares: 8, slots: new Slots({ places: 8, waitMs: 5000, holdMs: 60_000 }) });
    for (let round = 0; round < 3; round++) {
      await Promise.all([ANN, BOB, ANN, BOB].map((key) => ask(plain("SELECT i FROM range(5000) t(i)"), CSV, key)));
    }
    expect(leases).toHaveLength(12);
    expect([...owners.values()].filter(({ size }) => size > 1)).toEqual([]);
    // Two at once for each, kept from round to round.
    expect(owners.size).toBe(4);
  });

  it("is ended with a call that has no isolation key", async () => {
    open();
    await ask(plain("SELECT 1"), CSV, {});
    await leases[0]?.process.ended;
    await ask(plain("SELECT 1"), CSV, {});
    expect(pids()[1]).not.toBe(pids()[0]);
  });

  it("does not serve another key after a statement that failed or was left", async () => {
    open();
    await failureOf(ask(plain("SELECT * FROM missing_thing"), CSV, ANN));
    await calling(CSV, query(DUCKDB_STATEMENTS.endless), leaveAfterOne, ANN);
    await ask(plain("SELECT 1"), CSV, BOB);
    await ask(plain("SELECT 1"), CSV, ANN);
    expect(new Set(pids()).size).toBe(4);
  });

  it.each<[what: string, call: () => Promise<unknown>]>([
    ["failed before its first row", () => failureOf(ask(plain("SELECT * FROM missing_thing")))],
    [
      "failed among its rows",
      () => failureOf(ask(plain("SELECT CASE WHEN i = 5000 THEN error('x') END FROM range(9000) t(i)"))),
    ],
    ["was left by its reader", () => calling(CSV, query(DUCKDB_STATEMENTS.endless), async (a) => resultOf(a).close())],
    ["was left among its rows", () => calling(CSV, query(DUCKDB_STATEMENTS.endless), leaveAfterOne)],
    [
      "had a catalogue call that failed",
      () => failureOf(calling({ url: "/gone", format: "csv" }, LISTING, async () => undefined)),
    ],
    ["left memory behind", () => ask(plain("SELECT repeat('x', 40000000)"))],
  ])("is ended when the call %s", async (_, call) => {
    open();
    await call();
    const [used] = leases;
    await used?.process.ended;
    await ask(plain("SELECT 1"));
    expect(pids()[1]).not.toBe(pids()[0]);
  });

  it("is ended when it has waited, has served its number, or as many as may wait came after it", async () => {
    open({ idleMs: 1 });
    await ask(plain("SELECT 1"));
    await leases[0]?.process.ended;

    pool.close();
    open({ callsPerProcess: 2 });
    for (let call = 0; call < 5; call++) await ask(plain("SELECT 1"));
    const [a, b, c, d, e] = pids();
    expect([a, c]).toEqual([b, d]);
    expect(new Set([a, c, e]).size).toBe(3);

    pool.close();
    open({ spares: 1 });
    await ask(plain("SELECT 1"));
    await ask(plain("SELECT 1"), { url: "/lone", format: "csv" });
    await leases[0]?.process.ended;
    expect(leases[1]?.process.hasEnded).toBe(false);
  });

  it("is never kept without spares, or by a pool that is closed", async () => {
    open({ spares: 0 });
    await ask(plain("SELECT 1"));
    await leases[0]?.process.ended;
    open();
    await ask(plain("SELECT 1"));
    pool.close();
    await leases[0]?.process.ended;
  });

  it("is another one when it died while it waited", async () => {
    open();
    await ask(plain("SELECT 1"));
    process.kill(leases[0]?.process.pid ?? 0, "SIGKILL");
    await leases[0]?.process.ended;
    expect(await ask(plain("SELECT 2"))).toEqual([[2]]);
  });

  it("gives its place back while it waits", async () => {
    open({ slots: new Slots({ places: 1, waitMs: 5000, holdMs: 60_000 }) });
    await ask(plain("SELECT 1"));
    expect(await ask(plain("SELECT 2"), { url: "/lone", format: "csv" })).toEqual([[2]]);
    await eventually(() => expect(leases[0]?.process.hasEnded).toBe(false));
  });
});

const query = (sql: string): ConnectorCall => ({ name: "query", statement: plain(sql) });
const LISTING: ConnectorCall = { name: "catalog", request: { kind: "tables", filter: {}, limit: 10 } };

async function leaveAfterOne(answer: FrameAnswer): Promise<void> {
  const result = resultOf(answer);
  await result.batches.next();
  await result.close();
}

/** All that an engine tells of itself, but for names that are made at random. */
const STATE = `SELECT
  (SELECT string_agg(name || '=' || regexp_replace(coalesce(value, ''), '/siskin-[0-9a-f-]+/', ''), chr(10) ORDER BY name) FROM duckdb_settings()
    WHERE name NOT IN ('temp_directory', 'secret_directory')),
  (SELECT string_agg(view_name, ',') FROM duckdb_views() WHERE NOT internal),
  (SELECT string_agg(table_name, ',') FROM duckdb_tables()),
  (SELECT string_agg(database_name, ',' ORDER BY 1) FROM duckdb_databases()),
  (SELECT count(*) FROM duckdb_temporary_files()),
  (SELECT count(*) FROM duckdb_secrets())`;

describe("nothing is left for the next statement of the connection", () => {
  it.each<[what: string, connection: FileFields, before: Statement]>([
    ["a session's settings", CSV, { ...plain("SELECT 1"), session: [{ name: "TimeZone", value: "Asia/Tokyo" }] }],
    ["files and their views", CSV, statement('SELECT * FROM "t.csv"', "t.csv")],
    ["directories", CSV, plain("SELECT * FROM read_csv('lone/u.csv')")],
    ["spilled rows", CSV, plain("SELECT i FROM range(3000000) t(i) ORDER BY hash(i) LIMIT 2")],
    ["attached databases", { url: "/", format: "duckdb" }, plain("SELECT a FROM shop.t")],
  ])("of %s", async (_, connection, before) => {
    open();
    const fresh = await ask(plain(STATE), connection);
    await ask(before, connection);
    expect(await ask(plain(STATE), connection)).toEqual(fresh);
    expect(new Set(pids()).size).toBe(1);
  });

  it("of a seed", async () => {
    open();
    const drawn: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      await ask(plain("SELECT setseed(0.5)"));
      drawn.push(await ask(plain("SELECT random()")));
    }
    expect(drawn[0]).not.toEqual(drawn[1]);
    expect(new Set(pids()).size).toBe(1);
  });
});

describe("a failure", () => {
  it("of one call is not the next one's", async () => {
    open();
    const failure: ConnectorFailure = await failureOf(ask(plain("SELECT * FROM missing_thing")));
    expect(failure.reason).toBe("SOURCE_INVALID_SQL");
    expect(await ask(plain("SELECT 1"))).toEqual([[1]]);
  });
});
