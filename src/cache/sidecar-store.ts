/** A store that the sidecar has a connection to: Valkey or Redis, shared by all services that use that server. */
import { CACHE_PATHS, writeCacheOperation } from "./sidecar-protocol.ts";
import type { CacheStore } from "./store.ts";

/** Sends a signed body to a path of the sidecar. Rejects when there is no response. */
export type SidecarTransport = (path: string, body: Uint8Array, signal: AbortSignal) => Promise<Response>;

export function sidecarStore(transport: SidecarTransport): CacheStore {
  return {
    async get(key, signal) {
      const response = await transport(CACHE_PATHS.get, writeCacheOperation({ name: "get", key }), signal);
      if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
      await done(response, 204);
      return undefined;
    },
    async put(key, value, ttlSeconds, signal) {
      const operation = { name: "put", key, value, ttlSeconds: Math.ceil(ttlSeconds) } as const;
      await done(await transport(CACHE_PATHS.put, writeCacheOperation(operation), signal), 204);
    },
  };
}

async function done(response: Response, expected: number): Promise<void> {
  await response.body?.cancel();
  if (response.status !== expected) throw new Error(`The sidecar's store answered ${response.status}.`);
}
