/**
 * Callers whose claims differ ask the same SQL of one cache, at once and in every order, on real engines: whatever is
 * found, waited for, overridden, cut short or grown old, nobody sees a row that is another's.
 * `CACHE_SEED=7` judges others than seed 1.
 */

import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDuckDb } from "../../sidecar/duckdb/connector.ts";
import { MemoryStore } from "../../src/cache/memory-store.ts";
import { createQueryCache } from "../../src/cache/query-cache.ts";
import { parseDuckDbConnection } from "../../src/connectors/connection/duckdb.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import * as planner from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { CacheReport } from "../../src/service/cached-query.ts";
import { KnownVariants } from "../../src/service/known-variants.ts";
import { createManifestCache } from "../../src/service/manifest-cache.ts";
import { query } from "../../src/service/query.ts";
import type { Services } from "../../src/service/services.ts";
import { encoded } from "../api/test-app.ts";
import { FRAMES } from "../cache/frames.ts";
import { testContext } from "../service/in-memory.ts";
import { makeWith, type Playground, playground } from "../sidecar/duckdb/fixtures.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { openPostgresDatabase } from "../support/sources.ts";

const SEED = Number(process.env.CACHE_SEED ?? 1);

const CALLERS = ["ann", "bob", "cid"] as const;
type Caller = (typeof CALLERS)[number];
const ROWS_EACH = 40;

/** The same text for everybody; the last one tells a caller apart by nothing but a number. */
const STATEMENTS = [
  "SELECT owner, n FROM notes",
  "SELECT owner, n FROM notes WHERE n > 10 ORDER BY n LIMIT 5",
  "SELECT owner, sum(n) AS n FROM notes GROUP BY owner",
  "SELECT a.owner, a.n FROM notes AS a JOIN notes AS b ON a.n = b.n WHERE b.n < 20",
] as const;

const manifestFor = (table: object): string =>
  encoded({
    models: [
      {
        name: "notes",
        tableReference: table,
        columns: [
          { name: "owner", type: "VARCHAR" },
          { name: "n", type: "INTEGER" },
        ],
        rowLevelAccessControls: [
          { name: "own", requiredProperties: [{ name: "who", required: true }], condition: "owner = @who" },
        ],
      },
    ],
  });

const TABLE = `CREATE TABLE notes AS SELECT CASE n % 3 WHEN 0 THEN 'ann' WHEN 1 THEN 'bob' ELSE 'cid' END AS owner, n / 3 AS n
  FROM (SELECT CAST(g AS INTEGER) AS n FROM generate_series(0, ${3 * ROWS_EACH - 1}) AS s(g)) AS t`;

/** Reproducible, and good enough to mix orders. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Engine {
  readonly source: "postgres" | "duckdb";
  readonly manifestStr: string;
  readonly open: () => Promise<Connector>;
  /**
   * Statements run one after the other: many DuckDB engines that come and go at once in one process hung now and then. In the
   * service a process has one engine and one statement at a time, and is killed when it is not ready or done in its time
   * (`sidecar/engine-process`): such a hang would be one request's time-out.
   */
  readonly alone: boolean;
}

class World {
  now = 1_743_984_000_000;
  readonly seen = new Map<string, number>();
  /** Rows that came to somebody; the least that a run must have looked at. */
  rows = 0;
  readonly #services: Services;
  readonly #engine: Engine;
  readonly #random: (below: number) => number;
  readonly #idle: Connector[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(engine: Engine, seed: number) {
    this.#engine = engine;
    this.#random = randomFrom(seed);
    const cache = createQueryCache({
      frames: FRAMES,
      // Small enough that entries are dropped, too.
      store: new MemoryStore({ maxBytes: 12_000, now: () => this.now }),
      secrets: ["the secret of the tests, long enough"],
      deployment: [],
      ttlSeconds: 60,
      staleSeconds: 60,
      waitMs: 1_000,
      maxBytes: 100_000,
      workBytes: 1_000_000,
      now: () => this.now,
    });
    this.#services = {
      planner,
      manifests: createManifestCache({
        maxLength: 1_000_000,
        maxEntries: 8,
        load: (base64) => planner.loadManifest(base64, 1_000_000),
      }),
      sources: {
        prepare: () => ({
          warnings: [],
          identity: () => "one connection",
          variantAt: () => undefined,
          open: () => this.#connector(),
        }),
      },
      variants: new KnownVariants({ maxEntries: 8, milliseconds: 60_000 }),
      connections: new Map(),
      limits: { applicationTimeoutMs: 120_000, statementTimeoutMs: 60_000, maxRows: undefined },
      planOptions: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
      queryCache: async () => cache,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.map((connector) => connector.close()));
  }

  /** Two to four callers at once, all with the same statement. */
  async interleaving(): Promise<void> {
    const sql = STATEMENTS[this.#random(STATEMENTS.length)]!;
    const limit = this.#random(4) === 0 ? 1 + this.#random(3) : undefined;
    if (this.#random(30) === 0) this.now += this.#random(90_000);
    const count = 2 + this.#random(3);
    await Promise.all(
      Array.from({ length: count }, () => this.#ask(CALLERS[this.#random(CALLERS.length)]!, sql, limit)),
    );
  }

  async #ask(caller: Caller, sql: string, limit: number | undefined): Promise<void> {
    for (let turns = this.#random(4); turns > 0; turns--) await setImmediate();
    const client = new AbortController();
    const context = testContext({ signal: client.signal, session: new Map([["who", `'${caller}'`]]) });
    const leaves = this.#random(12);
    const wish = { override: this.#random(40) === 0, ...(this.#random(40) === 0 && { maxAge: this.#random(30) }) };
    const { source, manifestStr } = this.#engine;
    if (leaves === 0) void setImmediate().then(() => client.abort());
    try {
      const request = { source, manifestStr, connectionInfo: {}, sql, limit, cache: wish };
      const answer = await query(this.#services, context, request);
      this.#count(answer.cache);
      let rows = 0;
      for await (const batch of answer.rows.batches) {
        for (const [owner] of batch) {
          rows++;
          if (owner !== caller) throw new Error(`${caller} saw a row of ${owner}: ${sql}`);
        }
        if (leaves === 1) break;
        if (leaves === 2) await setImmediate();
      }
      this.rows += rows;
      const whole = this.#sizeOf(sql, limit);
      if (leaves > 1 && rows !== whole) throw new Error(`${caller} saw ${rows} rows of ${whole}: ${sql}`);
      await answer.rows.close();
    } catch (error) {
      if (!client.signal.aborted) throw error;
    }
    if (this.#random(2) === 0) await context.settled();
  }

  #sizeOf(sql: string, limit: number | undefined): number {
    const size = [ROWS_EACH, 5, 1, 20][STATEMENTS.indexOf(sql as (typeof STATEMENTS)[number])]!;
    return Math.min(size, limit ?? size);
  }

  #count(report: CacheReport | undefined): void {
    const word =
      report?.kind === "hit" ? (report.collapsed ? "collapsed" : report.ttl < 0 ? "stale" : "hit") : report?.because;
    this.seen.set(String(word), (this.seen.get(String(word)) ?? 0) + 1);
  }

  /** Resolves, when all who asked before have given theirs back, with what gives it back. */
  async #turn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }

  /** Logging in is not what this is about: connectors whose statements ended are used again. */
  async #connector(): Promise<Connector> {
    const connector = this.#idle.pop() ?? (await this.#engine.open());
    let isUsable = false;
    let signal: AbortSignal | undefined;
    return {
      ...connector,
      query: async (statement, options) => {
        signal = options.signal;
        const release = this.#engine.alone ? await this.#turn() : () => undefined;
        if (signal.aborted) release();
        signal.throwIfAborted();
        const stream = await connector.query(statement, options).catch((error: unknown) => {
          release();
          throw error;
        });
        const batches: typeof stream.batches = {
          [Symbol.asyncIterator]: () => batches,
          next: async () => {
            try {
              const step = await stream.batches.next();
              if (step.done !== true) return step;
              isUsable = true;
              release();
              return step;
            } catch (error) {
              release();
              throw error;
            }
          },
        };
        return { ...stream, batches, close: () => stream.close().finally(release) };
      },
      close: async () => {
        // An aborted call, even after its end, may expect no more than its own call.
        if (!isUsable || signal?.aborted === true) await connector.close();
        else if (!this.#idle.includes(connector)) this.#idle.push(connector);
      },
    };
  }
}

async function judge(engine: Engine, interleavings: number): Promise<void> {
  const world = new World(engine, SEED);
  try {
    for (let turn = 0; turn < interleavings; turn++) await world.interleaving();
  } finally {
    await world.close();
  }
  // It was the cache that was judged, in all its ways.
  for (const way of ["hit", "collapsed", "stale", "miss", "request"]) {
    expect(world.seen.get(way) ?? 0, way).toBeGreaterThan(interleavings / 200);
  }
  expect(world.rows).toBeGreaterThan(interleavings);
}

/** The tests, in the file that calls it. */
export function judgeCachedClaims(interleavings: Readonly<Record<"postgres" | "duckdb", number>>): void {
  let database: TestDatabase;
  let ground: Playground;
  beforeAll(async () => {
    ground = playground();
    database = await startPostgres();
    await (await database.connect()).query(TABLE);
    await makeWith([TABLE.replace("n / 3", "n // 3")], join(ground.root, "world.duckdb"));
  });
  afterAll(async () => {
    await database.stop();
    ground.remove();
  });

  it(`never see each other's rows in ${interleavings.postgres} interleavings on PostgreSQL`, {
    timeout: 1_500_000,
  }, async () => {
    await judge(
      {
        source: "postgres",
        manifestStr: manifestFor({ schema: "public", table: "notes" }),
        open: async () => (await openPostgresDatabase(database)).connector,
        alone: false,
      },
      interleavings.postgres,
    );
  });

  it(`nor in ${interleavings.duckdb} on DuckDB`, { timeout: 1_500_000 }, async () => {
    const settings = await ground.settings();
    const { info } = parseDuckDbConnection({ url: "/" });
    await judge(
      {
        source: "duckdb",
        manifestStr: manifestFor({ catalog: "world", schema: "main", table: "notes" }),
        open: () => openDuckDb(info, settings),
        alone: true,
      },
      interleavings.duckdb,
    );
  });
}
