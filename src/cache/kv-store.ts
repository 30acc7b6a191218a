/** Workers KV: shared by all isolates of a deployment, and eventually consistent (docs/reference/cache.md). */
import type { CacheStore } from "./store.ts";

/** The part of a KV namespace that we use. */
export interface KvNamespace {
  get(key: string, options: { readonly type: "arrayBuffer" }): Promise<ArrayBuffer | null>;
  put(key: string, value: ArrayBufferView, options: { readonly expirationTtl: number }): Promise<void>;
}

/** KV rejects a shorter time to live and a larger value. */
const SHORTEST_TTL_SECONDS = 60;
const LARGEST_VALUE_BYTES = 25 * 1024 * 1024;

export function isKvNamespace(binding: unknown): binding is KvNamespace {
  return typeof binding === "object" && binding !== null && "get" in binding && "put" in binding;
}

export function kvStore(namespace: KvNamespace): CacheStore {
  return {
    // KV takes no signal: the caller stops waiting, and a late result is dropped.
    async get(name) {
      const value = await namespace.get(name, { type: "arrayBuffer" });
      return value === null ? undefined : new Uint8Array(value);
    },
    async put(name, value, ttlSeconds) {
      if (value.length > LARGEST_VALUE_BYTES) return;
      await namespace.put(name, value, { expirationTtl: Math.max(SHORTEST_TTL_SECONDS, Math.ceil(ttlSeconds)) });
    },
  };
}
