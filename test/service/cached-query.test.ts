import { describe, expect, it, vi } from "vitest";
import { MemoryStore } from "../../src/cache/memory-store.ts";
import { createQueryCache, type QueryCacheOptions } from "../../src/cache/query-cache.ts";
import type { CacheStore } from "../../src/cache/store.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Row } from "../../src/result/types.ts";
import type { CacheReport, CacheRequest } from "../../src/service/cached-query.ts";
import { type QueryRequest, query } from "../../src/service/query.ts";
import type { CallContext } from "../../src/service/services.ts";
import { FRAMES } from "../cache/frames.ts";
import { planOf, type Script, type TestServices, testContext, testServices } from "./in-memory.ts";

const SECRET = "the secret of the tests, long enough";
const REQUEST = { source: "postgres", sql: "SELECT a FROM m", manifestStr: "bTE=", connectionInfo: {} } as const;

/** Counts what is asked of it, and can be made to fail, to hang and to lie. */
class TestStore implements CacheStore {
  readonly values = new Map<string, Uint8Array>();
  gets = 0;
  puts = 0;
  get: CacheStore["get"] = async (name) => {
    this.gets++;
    return this.values.get(name);
  };
  put: CacheStore["put"] = async (name, value) => {
    this.puts++;
    this.values.set(name, value);
  };
}

class Rig {
  now = 1_743_984_000_000;
  readonly store = new TestStore();
  readonly services: TestServices;
  readonly contexts: ReturnType<typeof testContext>[] = [];

  constructor(options: { script?: Script; maxRows?: number; cache?: Partial<QueryCacheOptions> } = {}) {
    const cache = createQueryCache({
      frames: FRAMES,
      store: this.store,
      secrets: [SECRET],
      deployment: ["test"],
      ttlSeconds: 300,
      staleSeconds: 0,
      waitMs: 1_000,
      maxBytes: 100_000,
      workBytes: 1_000_000,
      now: () => this.now,
      ...options.cache,
    });
    this.services = testServices({
      ...(options.script !== undefined && { script: options.script }),
      ...(options.maxRows !== undefined && { limits: { maxRows: options.maxRows } }),
      queryCache: async () => cache,
    });
  }

  /** How often the source was asked. */
  get runs(): number {
    return this.services.sources.events.filter((event) => event === "query").length;
  }

  get opened(): number {
    return this.services.sources.events.filter((event) => event === "open").length;
  }

  async ask(
    wish: Partial<CacheRequest> = {},
    request: Partial<QueryRequest> = {},
    overrides: Partial<CallContext> = {},
  ): Promise<{ rows: Row[]; cache: CacheReport | undefined }> {
    const context = testContext(overrides);
    this.contexts.push(context);
    const asked = { ...REQUEST, cache: { override: false, ...wish }, ...request } as QueryRequest;
    const answer = await query(this.services, context, asked);
    const rows: Row[] = [];
    for await (const batch of answer.rows.batches) rows.push(...batch);
    await answer.rows.close();
    return { rows, cache: answer.cache };
  }

  /** Also waits for what lies behind the answer. */
  async asked(...parameters: Parameters<Rig["ask"]>): ReturnType<Rig["ask"]> {
    const answer = await this.ask(...parameters);
    await this.settled();
    return answer;
  }

  async settled(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.settled()));
  }
}

describe("an answer that is there", () => {
  it("is given without opening the connection, and says when it was made", async () => {
    const rig = new Rig();
    const first = await rig.asked();
    rig.now += 10_000;
    rig.services.sources.script = { batches: [[[2]]] };
    const second = await rig.asked();
    expect(first).toEqual({ rows: [[1]], cache: { kind: "run", because: "miss" } });
    expect(second.rows).toEqual([[1]]);
    expect(second.cache).toEqual({ kind: "hit", createdAt: rig.now - 10_000, ttl: 290, collapsed: false });
    expect(rig.opened).toBe(1);
  });

  it("is planned all the same: what may not be asked any more is refused", async () => {
    const rig = new Rig();
    await rig.asked();
    rig.services.planner.answer = () => {
      throw new ConnectorFailure("INVALID_CONNECTION", "no longer");
    };
    await expect(rig.ask()).rejects.toThrow();
  });

  it("has the names of this plan, which are not in the SQL", async () => {
    const rig = new Rig();
    await rig.asked();
    const context = testContext();
    const answer = await query(rig.services, context, { ...REQUEST, cache: { override: false } });
    expect(answer.rows.columns.map(({ name }) => name)).toEqual(["a"]);
    await answer.rows.close();
  });

  it("grows old", async () => {
    const rig = new Rig();
    await rig.asked();
    rig.now += 300_001;
    expect((await rig.asked()).cache).toEqual({ kind: "run", because: "stale" });
    expect((await rig.asked()).cache?.kind).toBe("hit");
    expect(rig.runs).toBe(2);
  });

  it.each([
    [9, "run"],
    [10, "hit"],
    [100_000, "hit"],
    [0, "run"],
  ])("is not older than the caller allows: max-age=%i gives a %s", async (maxAge, kind) => {
    const rig = new Rig();
    await rig.asked();
    rig.now += 10_000;
    expect((await rig.asked({ maxAge })).cache?.kind).toBe(kind);
    // The new result is cached for the next request.
    expect((await rig.asked()).cache?.kind).toBe("hit");
  });

  it("plays no part for whoever wants nothing stored", async () => {
    const rig = new Rig();
    await rig.asked();
    expect((await rig.asked({ noStore: true })).cache).toEqual({ kind: "run", because: "bypass", detail: "no-store" });
    expect([rig.runs, rig.store.puts, rig.store.gets]).toEqual([2, 1, 1]);
  });

  it("plays no part without cacheEnable, nor in a deployment that has no cache", async () => {
    const rig = new Rig();
    const context = testContext();
    const answer = await query(rig.services, context, REQUEST);
    await answer.rows.close();
    expect([answer.cache, rig.store.gets]).toEqual([undefined, 0]);
    const without = testServices();
    const other = await query(without, testContext(), { ...REQUEST, cache: { override: false } });
    expect(other.cache).toEqual({ kind: "run", because: "bypass", detail: "off" });
    await other.rows.close();
  });

  it("is not kept of a statement that the clock or chance has a part in", async () => {
    const rig = new Rig();
    rig.services.planner.answer = (request) => ({ ok: true, value: planOf(request, { volatile: true }) });
    for (let turn = 0; turn < 2; turn++) {
      expect((await rig.asked()).cache).toEqual({ kind: "run", because: "bypass", detail: "volatile" });
    }
    expect([rig.runs, rig.store.values.size]).toEqual([2, 0]);
  });
});

describe("override", () => {
  it("runs the query, replaces the entry, and tells both times", async () => {
    const rig = new Rig();
    await rig.asked();
    const old = rig.now;
    rig.services.sources.script = { batches: [[[2]]] };
    // Within the same millisecond: the new time is later all the same.
    const { rows, cache } = await rig.asked({ override: true });
    expect(rows).toEqual([[2]]);
    expect(cache).toEqual({ kind: "run", because: "request", replaced: { createdAt: old, at: old + 1 } });
    expect((await rig.asked()).rows).toEqual([[2]]);
  });

  it("of nothing is a miss", async () => {
    const rig = new Rig();
    expect((await rig.asked({ override: true })).cache).toEqual({ kind: "run", because: "miss" });
    expect((await rig.asked()).cache?.kind).toBe("hit");
  });

  it("that fails leaves the entry", async () => {
    const rig = new Rig();
    await rig.asked();
    rig.services.sources.script = { queryError: new ConnectorFailure("SOURCE_ERROR", "broken") };
    await expect(rig.ask({ override: true })).rejects.toThrow();
    expect(await rig.asked()).toMatchObject({ rows: [[1]], cache: { kind: "hit" } });
  });

  it("whose answer is too large takes the old one away", async () => {
    const rig = new Rig({ cache: { maxBytes: 2_000 } });
    await rig.asked();
    rig.services.sources.script = { batches: [Array.from({ length: 1_000 }, () => [9])] };
    await rig.asked({ override: true });
    rig.now += 301_000;
    rig.services.sources.script = { batches: [[[3]]] };
    expect((await rig.asked()).rows).toEqual([[3]]);
  });
});

describe("what must not be kept", () => {
  const next = { batches: [[[42]]] };

  it.each<[string, Script]>([
    ["a query that the source refuses", { queryError: new ConnectorFailure("SOURCE_INVALID_SQL", "no") }],
    ["one that fails before its first row", { batches: [], lateError: new ConnectorFailure("SOURCE_ERROR", "no") }],
    [
      "one that fails among its rows",
      { batches: [[[1]], [[2]]], lateError: new ConnectorFailure("SOURCE_ERROR", "no") },
    ],
    ["a connection that cannot be opened", { openError: new ConnectorFailure("AUTHENTICATION", "no") }],
  ])("%s", async (_, script) => {
    const rig = new Rig({ script });
    await expect(rig.ask()).rejects.toThrow();
    await rig.settled();
    expect(rig.store.values.size).toBe(0);
    rig.services.sources.script = next;
    expect((await rig.asked()).rows).toEqual([[42]]);
  });

  it("an answer whose reader stops", async () => {
    const rig = new Rig({ script: { batches: [[[1]], [[2]]], hang: "batches" } });
    const context = testContext();
    const answer = await query(rig.services, context, { ...REQUEST, cache: { override: false } });
    await answer.rows.batches.next();
    await answer.rows.close();
    await context.settled();
    expect(rig.store.values.size).toBe(0);
    rig.services.sources.script = next;
    expect((await rig.asked()).rows).toEqual([[42]]);
  });

  it("an answer whose client goes, or whose time passes", async () => {
    const rig = new Rig({ script: { batches: [[[1]]], hang: "batches" } });
    const client = new AbortController();
    const asking = rig.ask({}, {}, { signal: client.signal });
    await rig.services.sources.happened("next");
    client.abort();
    await expect(asking).rejects.toThrow();
    await rig.settled();
    expect(rig.store.values.size).toBe(0);
    rig.services.sources.script = next;
    expect((await rig.asked()).rows).toEqual([[42]]);
  });

  it("an answer above the operator's cap", async () => {
    const rig = new Rig({ script: { batches: [[[1]], [[2]], [[3]]] }, maxRows: 2 });
    await expect(rig.ask()).rejects.toMatchObject({ reason: "ROW_LIMIT_EXCEEDED" });
    await rig.settled();
    expect(rig.store.values.size).toBe(0);
  });

  it("an answer that is too large: it is answered whole, and not collected again", async () => {
    const batches = Array.from({ length: 100 }, (_, n) => Array.from({ length: 100 }, () => [n]));
    const rig = new Rig({ script: { batches }, cache: { maxBytes: 5_000 } });
    const first = await rig.asked();
    expect([first.rows.length, first.cache]).toEqual([10_000, { kind: "run", because: "miss" }]);
    const second = await rig.asked();
    expect(second.cache).toEqual({ kind: "run", because: "miss", detail: "too-large" });
    expect([second.rows.length, rig.store.values.size]).toEqual([10_000, 0]);
  });
});

describe("what an entry is found by", () => {
  const other = (change: Partial<QueryRequest>, overrides: Partial<CallContext> = {}) => ({ change, overrides });

  it.each([
    ["another limit", other({ limit: 1 })],
    ["another connection", other({ connectionInfo: { password: "2" } })],
    ["another source", other({ source: "duckdb" })],
    ["another statement", other({ sql: "SELECT b FROM m" })],
    ["another time for the statement", other({}, { statementTimeoutMs: 5 })],
  ])("%s is another question", async (_, { change, overrides }) => {
    const rig = new Rig();
    await rig.asked({}, { limit: 500 });
    rig.services.sources.script = { batches: [[[2]]] };
    const answer = await rig.asked({}, { limit: 500, ...change }, overrides);
    expect([answer.cache?.kind, answer.rows]).toEqual(["run", [[2]]]);
  });

  it.each<[string, Parameters<typeof planOf>[1]]>([
    ["session settings", { session: [{ name: "TimeZone", value: "Europe/Paris" }] }],
    ["types of columns", { columns: [{ name: "a", type: { kind: "integer", bits: 64 }, nullable: false }] }],
    [
      "declared columns of files",
      { reads: () => [{ model: "m", columns: ["a"], physical: { table: "m.csv" }, declared: [] }] },
    ],
  ])("a plan with other %s is another question, its SQL being the same", async (_, difference) => {
    const rig = new Rig();
    await rig.asked();
    rig.services.planner.answer = (request) => ({ ok: true, value: planOf(request, difference) });
    expect((await rig.asked()).cache?.kind).toBe("run");
  });

  it("deployments, versions and secrets share nothing", async () => {
    const rig = new Rig();
    await rig.asked();
    for (const cache of [{ deployment: ["other"] }, { secrets: [`${SECRET}!`] as const }]) {
      const neighbour = new Rig({ cache: { store: rig.store, ...cache } });
      expect((await neighbour.asked()).cache?.kind).toBe("run");
    }
  });

  it("an entry made with the previous secret is found during a rotation", async () => {
    const rig = new Rig();
    await rig.asked();
    const rotated = new Rig({ cache: { store: rig.store, secrets: [`${SECRET}!`, SECRET] } });
    expect((await rotated.asked()).cache?.kind).toBe("hit");
  });
});

describe("a store that", () => {
  it.each<[string, (store: TestStore) => void]>([
    ["fails", (store) => (store.get = () => Promise.reject(new Error("down")))],
    ["hangs", (store) => (store.get = () => new Promise(() => {}))],
    [
      "throws",
      (store) =>
        (store.get = () => {
          throw new Error("down");
        }),
    ],
  ])("%s does not keep the query from running, and that is said", async (_, spoil) => {
    const rig = new Rig({ cache: { waitMs: 20 } });
    await rig.asked();
    spoil(rig.store);
    const answer = await rig.asked();
    expect(answer).toEqual({
      rows: [[1]],
      cache: { kind: "run", because: "miss", detail: "store-unavailable" },
    });
  });

  it("takes nothing does not either", async () => {
    const rig = new Rig();
    rig.store.put = () => Promise.reject(new Error("full"));
    expect((await rig.asked()).rows).toEqual([[1]]);
    expect((await rig.asked()).rows).toEqual([[1]]);
    expect(rig.runs).toBe(2);
  });

  it.each<[string, (value: Uint8Array) => Uint8Array]>([
    ["cuts values", (value) => value.subarray(0, value.length - 5)],
    ["empties them", () => new Uint8Array(0)],
    ["changes them", (value) => value.map((byte, index) => (index === 40 ? byte ^ 1 : byte))],
    ["has them from an older version", (value) => value.map((byte, index) => (index === 0 ? 0 : byte))],
    ["has something else there", () => new TextEncoder().encode("<html>not found</html>")],
  ])("%s is a store that has nothing", async (_, spoil) => {
    const rig = new Rig();
    await rig.asked();
    for (const [name, value] of rig.store.values) rig.store.values.set(name, spoil(value));
    expect(await rig.asked()).toEqual({ rows: [[1]], cache: { kind: "run", because: "miss" } });
  });

  it("swaps values gives nobody what is another's", async () => {
    const rig = new Rig();
    await rig.asked({}, { sql: "SELECT mine FROM m" });
    rig.services.sources.script = { batches: [[[2]]] };
    await rig.asked({}, { sql: "SELECT yours FROM m" });
    const [[mine, first], [yours, second]] = [...rig.store.values] as [[string, Uint8Array], [string, Uint8Array]];
    rig.store.values.set(mine, second).set(yours, first);
    expect((await rig.asked({}, { sql: "SELECT mine FROM m" })).cache?.kind).toBe("run");
    expect((await rig.asked({}, { sql: "SELECT yours FROM m" })).cache?.kind).toBe("run");
  });

  it("has an entry from the future has nothing", async () => {
    const rig = new Rig();
    await rig.asked();
    rig.now -= 120_000;
    expect((await rig.asked()).cache?.kind).toBe("run");
  });
});

describe("equal questions at once", () => {
  it("run one query", async () => {
    const rig = new Rig();
    const answers = await Promise.all(Array.from({ length: 100 }, () => rig.ask()));
    expect(rig.runs).toBe(1);
    expect(answers.every(({ rows }) => rows.length === 1 && rows[0]?.[0] === 1)).toBe(true);
    expect(answers.filter(({ cache }) => cache?.kind === "hit" && cache.collapsed)).toHaveLength(99);
    await rig.settled();
    expect((await rig.asked()).cache?.kind).toBe("hit");
    expect(rig.runs).toBe(1);
  });

  it("do not depend on the first one's client", async () => {
    const rig = new Rig({ script: { hang: "batches" } });
    const client = new AbortController();
    const first = rig.ask({}, {}, { signal: client.signal });
    await rig.services.sources.happened("next");
    const others = Promise.all(Array.from({ length: 10 }, () => rig.ask()));
    rig.services.sources.script = { batches: [[[2]]] };
    client.abort();
    await expect(first).rejects.toThrow();
    expect((await others).every(({ rows }) => rows[0]?.[0] === 2)).toBe(true);
    expect(rig.runs).toBe(2);
  });

  it("do not wait for the first one's reader", async () => {
    const rig = new Rig({ script: { batches: [[[1]], [[2]], [[3]]] } });
    const unread = await query(rig.services, testContext(), { ...REQUEST, cache: { override: false } });
    expect((await rig.ask()).rows).toEqual([[1], [2], [3]]);
    expect(rig.runs).toBe(1);
    await unread.rows.close();
  });

  it("do not share a failure: each asks for itself", async () => {
    const rig = new Rig({ script: { queryError: new ConnectorFailure("SOURCE_ERROR", "no") } });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rig.ask()));
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
    expect(rig.runs).toBe(5);
  });

  it("are not equal when the connection is another's", async () => {
    const rig = new Rig();
    await Promise.all([rig.ask(), rig.ask({}, { connectionInfo: { password: "2" } })]);
    expect(rig.runs).toBe(2);
  });
});

describe("stale while revalidating", () => {
  it("answers with what is there, and makes it anew behind the answer, once", async () => {
    const rig = new Rig({ cache: { staleSeconds: 600 } });
    await rig.asked();
    rig.now += 310_000;
    rig.services.sources.script = { batches: [[[2]]] };
    const answers = await Promise.all([rig.ask(), rig.ask(), rig.ask()]);
    expect(answers.map(({ rows }) => rows)).toEqual([[[1]], [[1]], [[1]]]);
    expect(answers[0]?.cache).toMatchObject({ kind: "hit", ttl: -10 });
    await rig.settled();
    expect(rig.runs).toBe(2);
    expect(await rig.asked()).toMatchObject({ rows: [[2]], cache: { kind: "hit", ttl: 300 } });
  });

  it("tries again when what was to make it anew was lost", async () => {
    const rig = new Rig({ cache: { staleSeconds: 600 } });
    await rig.asked();
    rig.now += 310_000;
    rig.services.sources.script = { hang: "query" };
    await rig.ask();
    await rig.ask();
    await vi.waitFor(() => expect(rig.runs).toBe(2));
    rig.now += 61_000;
    await rig.ask();
    await vi.waitFor(() => expect(rig.runs).toBe(3));
  });

  it("is not for those who say how old it may be", async () => {
    const rig = new Rig({ cache: { staleSeconds: 600 } });
    await rig.asked();
    rig.now += 310_000;
    expect((await rig.asked({ maxAge: 1000 })).cache?.kind).toBe("run");
  });

  it("leaves the entry where the new run fails, until it is too old", async () => {
    const rig = new Rig({ cache: { staleSeconds: 600 } });
    await rig.asked();
    rig.now += 310_000;
    rig.services.sources.script = { lateError: new ConnectorFailure("SOURCE_ERROR", "no") };
    expect((await rig.asked()).rows).toEqual([[1]]);
    expect((await rig.asked()).rows).toEqual([[1]]);
    rig.now += 600_000;
    await expect(rig.ask()).rejects.toThrow();
  });
});

it("a cache in the isolate's memory works as any other store", async () => {
  const rig = new Rig({ cache: { store: new MemoryStore({ maxBytes: 100_000, now: Date.now }) } });
  await rig.asked();
  expect((await rig.asked()).cache?.kind).toBe("hit");
});
