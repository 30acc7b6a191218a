/** Asks DuckDB's WASM inside workerd, one statement per request, over files of a bucket. */
import { openBucketInWasm } from "../../../src/connectors/duckdb-wasm/bucket.ts";
import { WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import { startInWorker } from "../../../src/connectors/duckdb-wasm/start-in-worker.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { BucketConnection } from "../../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import type { Scan } from "../../../src/planner/plan.ts";

export interface FilesCall {
  /** Of `minio_file`. */
  readonly connectionInfo: unknown;
  readonly names: readonly string[];
  readonly sql: string;
  readonly timeoutMs?: number;
  readonly scans?: readonly Scan[];
  /** As the files Worker does, for the next call. */
  readonly keepsFooters?: boolean;
}

export type FilesAnswer =
  | { readonly ok: true; readonly columns: unknown; readonly rows: unknown; readonly engineBytes: number }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
      readonly retryAfter?: number | undefined;
      readonly engineBytes: number;
    };

const KEPT = new FooterCache(2 * 1024 * 1024);
let started: { readonly memory: number } | undefined;
const engine = new WasmEngine({
  start: async () => {
    const instance = await startInWorker();
    started = instance;
    return instance;
  },
  mostWaiting: 4,
});

export default {
  async fetch(request: Request): Promise<Response> {
    // Whether it is there, before its engine is.
    if (request.method === "GET") return new Response(null, { status: 204 });
    const call = (await request.json()) as FilesCall;
    const { info } = parseConnection("minio_file", call.connectionInfo);
    const connector = openBucketInWasm(info as BucketConnection, {
      engine,
      footers: call.keepsFooters === true ? KEPT : new FooterCache(0),
      fetch: (...asked) => fetch(...asked),
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
      const { columns, batches } = await connector.query(statement, { signal: request.signal, timeoutMs });
      const rows: unknown[] = [];
      for await (const batch of batches) rows.push(...batch);
      return answer({ ok: true, columns, rows, engineBytes: started?.memory ?? 0 });
    } catch (error) {
      const engineBytes = started?.memory ?? 0;
      if (!(error instanceof ConnectorFailure)) {
        return answer({ ok: false, reason: "fault", message: String(error), engineBytes });
      }
      const { reason, message, retryAfter } = error;
      return answer({ ok: false, reason, message, retryAfter, engineBytes });
    } finally {
      await connector.close();
    }
  },
};

/** Digits of 64 bits as they are. */
function answer(given: FilesAnswer): Response {
  return new Response(JSON.stringify(given, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
}
