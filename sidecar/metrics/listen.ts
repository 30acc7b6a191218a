/**
 * `GET /metrics` on a separate address: everyone who reaches it may read it, so it is not the address that Workers use.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { METRICS_TYPE, type Metrics } from "../../src/guard/metrics.ts";

/** Resolves when it listens. Rejects as `listen` fails. */
export async function listenForMetrics(metrics: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer({ requestTimeout: 5000, maxHeaderSize: 8 * 1024 }, (request, response) => {
    const isAsked = request.url === "/metrics";
    if (!isAsked || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(isAsked ? 405 : 404).end();
      return;
    }
    response.setHeader("content-type", METRICS_TYPE);
    response.end(metrics.text());
  });
  server.listen(port, host);
  await once(server, "listening");
  // The process ends when its requests have.
  server.unref();
  return server;
}
