/** Asks DuckDB's WASM inside workerd, one statement per request, over files of a bucket. */
import { openBucketInWasm } from "../../../src/connectors/duckdb-wasm/bucket.ts";
import { WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import type { WasmInstance } from "../../../src/connectors/duckdb-wasm/instance.ts";
import { startInWorker } from "../../../src/connectors/duckdb-wasm/start-in-worker.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { BucketConnection } from "../../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import type { Scan } from "../../../src/planner/plan.ts";

export interface FilesCall {
  /** Connection fields of `minio_file`. */
  readonly connectionInfo: unknown;
  readonly names: readonly string[];
  readonly sql: string;
  readonly timeoutMs?: number;
  readonly scans?: readonly Scan[];
  /** Keeps footers for the next call, like the files Worker. */
  readonly keepsFooters?: boolean;
  /** Whose call it is; "tests" where it does not matter. */
  readonly isolation?: string;
}

export interface EngineState {
  /** Memory of the last instance used, and of the spare. */
  readonly engineBytes: number;
  readonly spareMemory: number;
  /** Instances that were started, and those of them that worked. */
  readonly starts: number;
  readonly used: number;
  /** Instances that are not collected yet. */
  readonly alive: number;
}

type Outcome =
  | { readonly ok: true; readonly columns: unknown; readonly rows: unknown }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
      readonly retryAfter?: number | undefined;
    };

export type FilesAnswer = Outcome & EngineState;

interface Background {
  waitUntil(work: Promise<unknown>): void;
}

const KEPT = new FooterCache(2 * 1024 * 1024);
let starts = 0;
let used = 0;
/** Not held: an instance that was given up is garbage. */
let working: WeakRef<WasmInstance> | undefined;
const alive: WeakRef<WasmInstance>[] = [];
const engine = new WasmEngine({
  start: async () => {
    starts++;
    const instance = await startInWorker();
    alive.push(new WeakRef(instance));
    return instance;
  },
  mostWaiting: 4,
});
const enter = engine.enter.bind(engine);
engine.enter = async (...asked) => {
  const turn = await enter(...asked);
  if (working?.deref() !== turn.instance) used++;
  working = new WeakRef(turn.instance);
  return turn;
};

export default {
  async fetch(request: Request, _environment: unknown, context: Background): Promise<Response> {
    // Whether it is there, before its engine is; and how its engine is.
    if (request.method === "GET") return Response.json(stateOf());
    const call = (await request.json()) as FilesCall;
    const { info } = parseConnection("minio_file", call.connectionInfo);
    const connector = openBucketInWasm(info as BucketConnection, {
      engine,
      footers: call.keepsFooters === true ? KEPT : new FooterCache(0),
      fetch: (...asked) => fetch(...asked),
      defer: (work) => context.waitUntil(work),
    });
    try {
      const { sql, names, scans, timeoutMs = 20_000 } = call;
      const reads = names.map((table) => ({
        model: "model",
        columns: [],
        physical: { table },
        ...(scans && { scans }),
      }));
      const statement = { sql, columns: [], session: [], reads };
      const { columns, batches } = await connector.query(statement, {
        signal: request.signal,
        timeoutMs,
        isolation: call.isolation ?? "tests",
      });
      const rows: unknown[] = [];
      for await (const batch of batches) rows.push(...batch);
      return answer({ ok: true, columns, rows });
    } catch (error) {
      if (!(error instanceof ConnectorFailure)) {
        return answer({ ok: false, reason: "fault", message: String(error) });
      }
      const { reason, message, retryAfter } = error;
      return answer({ ok: false, reason, message, retryAfter });
    } finally {
      await connector.close();
    }
  },
};

function stateOf(): EngineState {
  const { spareMemory } = engine;
  const engineBytes = (working?.deref()?.memory ?? 0) + spareMemory;
  return { engineBytes, spareMemory, starts, used, alive: alive.filter((each) => each.deref()).length };
}

/** Digits of 64 bits as they are. */
function answer(outcome: Outcome): Response {
  const given: FilesAnswer = { ...outcome, ...stateOf() };
  return new Response(JSON.stringify(given, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
}
