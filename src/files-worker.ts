/**
 * The files Worker: reads files of buckets by DuckDB's WASM, for the API Worker, which is bound to it. Wiring only. It is a
 * separate Worker, because the engine has tens of megabytes, must not find a global `process` and takes most of an isolate's
 * memory. It is bound in deployments that read files without a sidecar.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import { serveBinding } from "./connectors/bound-worker/far-end.ts";
import { openBucketInWasm } from "./connectors/duckdb-wasm/bucket.ts";
import { WasmEngine } from "./connectors/duckdb-wasm/engine.ts";
import { startInWorker } from "./connectors/duckdb-wasm/start-in-worker.ts";
import { ConnectorFailure } from "./connectors/failure.ts";
import { FooterCache } from "./connectors/files/parquet/footer-cache.ts";
import { localFetch, publicFetch } from "./connectors/http/public-fetch.ts";

/** One statement at a time; when eight statements wait, further ones are refused with Retry-After. */
const engine = new WasmEngine({ start: startInWorker, mostWaiting: 8 });
/** Enough for about a hundred files of a common width. */
const footers = new FooterCache(2 * 1024 * 1024);

/** Only service bindings that name it reach this class: routes lead to the default export. */
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

/** Answers requests over a route that somebody has assigned to this Worker. */
export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler;
