/** Serves Workers' requests to the cache store behind the sidecar. */
import type { ServerResponse } from "node:http";
import { type CacheOperation, VALUE_TYPE } from "../../src/cache/sidecar-protocol.ts";
import type { CacheStore } from "../../src/cache/store.ts";

/** False when the store did not do it: the Worker then does without. Nothing is written in that case. */
export async function serveCache(
  operation: CacheOperation,
  store: CacheStore,
  response: ServerResponse,
): Promise<boolean> {
  const caller = new AbortController();
  response.on("close", () => caller.abort());
  try {
    if (operation.name === "put") {
      await store.put(operation.key, operation.value, operation.ttlSeconds, caller.signal);
      response.writeHead(204, { "cache-control": "no-store" }).end();
      return true;
    }
    const value = await store.get(operation.key, caller.signal);
    if (value === undefined) {
      response.writeHead(204, { "cache-control": "no-store" }).end();
      return true;
    }
    response.writeHead(200, {
      "content-type": VALUE_TYPE,
      "content-length": value.length,
      "cache-control": "no-store",
    });
    response.end(value);
    return true;
  } catch {
    return false;
  }
}
