/** Asks DuckDB's WASM inside workerd, one statement per request, over files that are read by ranges as they are needed. */
import { openWasm } from "../../../src/connectors/duckdb-wasm/connector.ts";
import { WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import { startInWorker } from "../../../src/connectors/duckdb-wasm/start-in-worker.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";

export interface FilesCall {
  /** Where the files are, by their names. */
  readonly origin: string;
  readonly names: readonly string[];
  readonly sql: string;
  readonly timeoutMs?: number;
}

export type FilesAnswer =
  | { readonly ok: true; readonly columns: unknown; readonly rows: unknown; readonly engineBytes: number }
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly retryAfter?: number | undefined };

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
    const call = (await request.json()) as FilesCall;
    const connector = openWasm({ engine, find: async (name, signal) => [await found(call.origin, name, signal)] });
    try {
      const { sql, names, timeoutMs = 20_000 } = call;
      const reads = names.map((table) => ({ model: "model", columns: [], physical: { table } }));
      const statement = { sql, columns: [], session: [], reads };
      const { columns, batches } = await connector.query(statement, { signal: request.signal, timeoutMs });
      const rows: unknown[] = [];
      for await (const batch of batches) rows.push(...batch);
      return answer({ ok: true, columns, rows, engineBytes: started?.memory ?? 0 });
    } catch (error) {
      if (!(error instanceof ConnectorFailure)) return answer({ ok: false, reason: "fault", message: String(error) });
      const { reason, message, retryAfter } = error;
      return answer({ ok: false, reason, message, retryAfter });
    } finally {
      await connector.close();
    }
  },
};

async function found(origin: string, name: string, signal: AbortSignal) {
  const url = origin + encodeURIComponent(name);
  const { headers } = await fetch(url, { method: "HEAD", signal });
  return {
    name,
    size: Number(headers.get("content-length")),
    async read(start: number, end: number, reading: AbortSignal): Promise<Uint8Array> {
      const range = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` }, signal: reading });
      if (range.status !== 206) throw new ConnectorFailure("UPSTREAM_PROTOCOL", `It answered ${range.status}.`);
      return new Uint8Array(await range.arrayBuffer());
    },
  };
}

/** Digits of 64 bits as they are. */
function answer(given: FilesAnswer): Response {
  return new Response(JSON.stringify(given, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
}
