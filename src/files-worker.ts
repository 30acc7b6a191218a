/**
 * The files Worker: files of buckets by DuckDB's WASM, for the API Worker, which is bound to it. Wiring only. A Worker of its
 * own, since the engine is tens of megabytes, wants no `process` beside it and takes most of an isolate's memory; bound where
 * somebody wants files answered without a sidecar.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import { serveBinding } from "./connectors/bound-worker/far-end.ts";
import { openBucketInWasm } from "./connectors/duckdb-wasm/bucket.ts";
import { WasmEngine } from "./connectors/duckdb-wasm/engine.ts";
import { startInWorker } from "./connectors/duckdb-wasm/start-in-worker.ts";
import { ConnectorFailure } from "./connectors/failure.ts";
import { FooterCache } from "./connectors/files/parquet/footer-cache.ts";
import { localFetch, publicFetch } from "./connectors/http/public-fetch.ts";

/** One statement at a time; a statement that comes while eight wait is refused with Retry-After. */
const engine = new WasmEngine({ start: startInWorker, mostWaiting: 8 });
/** Of some hundred files of a common width. */
const footers = new FooterCache(2 * 1024 * 1024);

/** Reached by service bindings that name it, and by nothing else: routes lead to the default export. */
export class Files extends WorkerEntrypoint<Readonly<Record<string, unknown>>> {
  override fetch(request: Request): Promise<Response> {
    return serveBinding(request, {
      open: async (connection) => {
        const { source } = connection;
        if (source !== "s3_file" && source !== "minio_file" && source !== "gcs_file") {
          throw new ConnectorFailure("NEEDS_SIDECAR", `The files Worker does not serve ${source}.`);
        }
        // The platform's `fetch` does not work as a method of another object.
        const isLocal = ["true", "1"].includes(String(this.env["ALLOW_PRIVATE_HOSTS"]));
        const judge = isLocal ? localFetch : publicFetch;
        const judged = judge((input, init) => fetch(input, init));
        const defer = (work: Promise<unknown>): void => this.ctx.waitUntil(work);
        return openBucketInWasm(connection, { engine, footers, fetch: judged, defer });
      },
      bindings: {},
      log: (line) => console.log(line),
      defer: (work) => this.ctx.waitUntil(work),
    });
  }
}

/** Whoever comes by a route that somebody gave to this Worker. */
export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler;
