/**
 * The engine's memory is searched for what another caller, another connection, or another set of session values has read.
 * The search does what a reader does that returns memory beside a value, so it does not depend on any such fault.
 */
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { engineModule } from "../../scripts/service/engine-module.ts";
import { EnginePool } from "../../sidecar/engine-process/engine-pool.ts";
import { EngineRelay } from "../../sidecar/engine-process/engine-relay.ts";
import { Slots } from "../../sidecar/slots.ts";
import type { CallOptions } from "../../src/connectors/connector.ts";
import { openBucketInWasm } from "../../src/connectors/duckdb-wasm/bucket.ts";
import { WasmEngine } from "../../src/connectors/duckdb-wasm/engine.ts";
import { type BindingsModule, type EngineParts, WasmInstance } from "../../src/connectors/duckdb-wasm/instance.ts";
import type { BucketConnection } from "../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../src/connectors/sources.ts";
import { readFrames } from "../../src/result/encode/frames/reader.ts";
import { frameStream } from "../../src/result/encode/frames/writer.ts";
import { type Playground, playground } from "../sidecar/duckdb/fixtures.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";

/** Long enough for DuckDB to keep it outside of its column's vector, and nowhere else in the process. */
const SECRET = "the account number of somebody else is 4711-0815";

interface Asked {
  /** Beside the store's own. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly isolation?: string;
  readonly file?: string;
  readonly timeoutMs?: number;
}

describe("memory of DuckDB's WASM", () => {
  let server: S3Server;
  let engine: WasmEngine;
  const machines = new Map<unknown, { readonly mod: { readonly HEAPU8: Uint8Array } }>();
  const served: unknown[] = [];

  beforeAll(async () => {
    server = await startS3Server();
    server.objects.set("secrets.csv", Buffer.from(`n,account\n${`1,${SECRET}\n`.repeat(2000)}`));
    server.objects.set("numbers.csv", Buffer.from("n\n1\n"));
    // Makes emscripten detect a browser.
    Object.defineProperty(process, "type", { value: "renderer", configurable: true });
    const { resolve } = createRequire(import.meta.url);
    const directory = dirname(resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
    const bindings = (await import(
      pathToFileURL(join(directory, "duckdb-browser-blocking.mjs")).href
    )) as BindingsModule;
    const { WebAssembly: wasm } = globalThis as unknown as {
      WebAssembly: { compile(bytes: Uint8Array): Promise<EngineParts["module"]> };
    };
    const module = await wasm.compile(engineModule());
    engine = new WasmEngine({
      start: async () => {
        let made: unknown;
        const createDuckDB: BindingsModule["createDuckDB"] = async (...given) => {
          made = await bindings.createDuckDB(...given);
          return made;
        };
        const instance = await WasmInstance.start({ bindings: { ...bindings, createDuckDB }, module });
        machines.set(instance, made as { readonly mod: { readonly HEAPU8: Uint8Array } });
        return instance;
      },
      mostWaiting: 8,
    });
    const enter = engine.enter.bind(engine) as (...given: unknown[]) => ReturnType<WasmEngine["enter"]>;
    vi.spyOn(engine, "enter").mockImplementation(async (...given: unknown[]) => {
      const turn = await enter(...given);
      served.push(turn.instance);
      return turn;
    });
  }, 60_000);
  afterAll(() => server.close());

  async function ask(
    sql: string,
    { fields = {}, isolation, file = "numbers.csv", timeoutMs = 60_000 }: Asked,
  ): Promise<unknown[]> {
    const { info } = parseConnection("minio_file", { ...server.connectionInfo(), ...fields });
    const footers = new FooterCache(1024);
    const connector = openBucketInWasm(info as BucketConnection, { engine, footers, fetch });
    const reads = [{ model: "m", columns: [], physical: { table: file } }];
    const statement = { sql: sql.replace("FILE", `"${file}"`), columns: [], session: [], reads };
    const options: CallOptions = { signal: new AbortController().signal, timeoutMs, isolation };
    try {
      const rows: unknown[] = [];
      for await (const batch of (await connector.query(statement, options)).batches) rows.push(...batch);
      return rows;
    } finally {
      await connector.close();
    }
  }

  const holds = (instance: unknown, text: string): boolean =>
    Buffer.from(machines.get(instance)?.mod.HEAPU8 ?? []).includes(text);

  const victim: Asked = { file: "secrets.csv", isolation: "one" };
  const READ_SECRET = "SELECT n, account, upper(account) AS loud FROM FILE ORDER BY account";

  it("is what holds a statement's values, which the search finds", async () => {
    expect(await ask(READ_SECRET, victim)).toHaveLength(2000);
    expect(holds(served.at(-1), SECRET)).toBe(true);
  });

  it.each<[who: string, asked: Asked]>([
    ["another connection", { isolation: "one", fields: { url: "/elsewhere" } }],
    ["another caller, or other session values", { isolation: "two" }],
    ["a call that does not say whose it is", {}],
  ])("holds nothing that was read before by or for %s", async (_, asked) => {
    expect(await ask(READ_SECRET, victim)).toHaveLength(2000);
    expect(await ask("SELECT n FROM FILE", asked)).toEqual([[1n]]);
    expect(holds(served.at(-1), SECRET)).toBe(false);
  });

  it("holds nothing of a statement that failed, or that its caller gave up", async () => {
    await expect(ask(`${READ_SECRET}, error('x')`, victim)).rejects.toThrow();
    await ask("SELECT n FROM FILE", { isolation: "two" });
    expect(holds(served.at(-1), SECRET)).toBe(false);
    const endless = "SELECT count(*) FROM FILE, range(1000000000000) t(i) WHERE account < 'z' AND hash(i) % 7 = 3";
    await expect(ask(endless, { ...victim, timeoutMs: 1000 })).rejects.toMatchObject({
      reason: "STATEMENT_TIMEOUT",
    });
    await ask("SELECT n FROM FILE", { isolation: "two" });
    expect(holds(served.at(-1), SECRET)).toBe(false);
  });

  it("is another one for each of two callers who ask at once", async () => {
    const from = served.length;
    await Promise.all([ask(READ_SECRET, victim), ask("SELECT n FROM FILE", { isolation: "two" })]);
    const [one, two] = served.slice(from);
    expect(one).not.toBe(two);
    expect(holds(two, SECRET)).toBe(false);
  });
});

describe("a process of DuckDB", () => {
  let ground: Playground;
  let pool: EnginePool;
  const pids: unknown[] = [];

  beforeAll(() => {
    ground = playground();
    ground.write("t.csv", "a\n1\n");
    pool = new EnginePool({
      processes: {
        root: { path: ground.root, configured: ground.root },
        memory: "256MB",
        threads: 1,
        temporaryDirectory: mkdtempSync(join(ground.base, "pool-")),
      },
      spares: 4,
      slots: new Slots({ places: 2, waitMs: 5000, holdMs: 60_000 }),
      onFailure: () => undefined,
    });
    const take = pool.take.bind(pool);
    vi.spyOn(pool, "take").mockImplementation(async (owner, signal, makeWay) => {
      const lease = await take(owner, signal, makeWay);
      pids.push(lease.process.pid);
      return lease;
    });
  });
  afterAll(() => {
    pool.close();
    ground.remove();
  });

  async function processOf(isolation: string | undefined): Promise<unknown> {
    const statement = { sql: "SELECT 1", columns: [], session: [], reads: [] };
    const relay = new EngineRelay(pool, {
      connection: { url: "/", format: "csv" },
      call: { name: "query", statement },
    });
    const options: CallOptions = { signal: new AbortController().signal, timeoutMs: 60_000, isolation };
    const answer = await readFrames(frameStream(relay.relay(options), { describeFailure: () => ({}) }), {
      revive: (json) => json,
    });
    if (answer.kind !== "result") return expect.unreachable("a report came");
    for await (const batch of answer.stream.batches) expect([...batch]).toEqual([[1]]);
    await relay.close();
    return pids.at(-1);
  }

  it.each([
    ["another caller, or other session values", "one", "two"],
    ["a call that does not say whose it is", "one", undefined],
    ["two calls that do not say whose they are", undefined, undefined],
  ])("that has served %s serves nobody else", async (_, first, second) => {
    expect(await processOf(first)).not.toBe(await processOf(second));
  });
});
