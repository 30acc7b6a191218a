/** Creates the query cache from the settings. Imported on the first request that uses the cache. */
import { isKvNamespace, kvStore } from "./kv-store.ts";
import { MemoryStore } from "./memory-store.ts";
import { createQueryCache, type QueryCache, type QueryCacheOptions } from "./query-cache.ts";
import { type SidecarTransport, sidecarStore } from "./sidecar-store.ts";
import type { CacheStore } from "./store.ts";

export interface OpenCacheOptions extends Omit<QueryCacheOptions, "store" | "secrets"> {
  readonly kind: "kv" | "sidecar" | "memory";
  readonly secret: string | undefined;
  readonly previousSecret: string | undefined;
  /** The binding `QUERY_CACHE`. */
  readonly namespace: unknown;
  readonly sidecar: SidecarTransport | undefined;
  readonly memoryBytes: number;
}

/** Throws where the settings lack a value that the kind of store needs; the settings were checked at the start. */
export function openQueryCache(options: OpenCacheOptions): QueryCache {
  // Only this isolate reads its own memory, so a random secret is enough.
  const secret = options.secret ?? (options.kind === "memory" ? crypto.randomUUID() : undefined);
  if (secret === undefined) throw new Error("The query cache has no secret.");
  return createQueryCache({ ...options, store: storeOf(options), secrets: [secret, options.previousSecret] });
}

function storeOf({ kind, namespace, sidecar, memoryBytes, now }: OpenCacheOptions): CacheStore {
  switch (kind) {
    case "kv":
      if (!isKvNamespace(namespace)) throw new Error("QUERY_CACHE is no KV namespace.");
      return kvStore(namespace);
    case "sidecar":
      if (sidecar === undefined) throw new Error("There is no sidecar.");
      return sidecarStore(sidecar);
    case "memory":
      return new MemoryStore({ maxBytes: memoryBytes, now: now ?? Date.now });
    default:
      return kind satisfies never;
  }
}
