/**
 * The protocol of the store behind the sidecar: signed POSTs, like those of `connectors/remote`. Entries are encrypted in the
 * Worker; the sidecar and the store hold only ciphertext.
 */
export const CACHE_PATHS = { get: "/v1/cache/get", put: "/v1/cache/put" } as const;
export type CacheOperationName = keyof typeof CACHE_PATHS;

export type CacheOperation =
  | { readonly name: "get"; readonly key: string }
  | { readonly name: "put"; readonly key: string; readonly value: Uint8Array; readonly ttlSeconds: number };

/** Content type of a value that `get` returns. `get` without an entry and `put` return 204. */
export const VALUE_TYPE = "application/octet-stream";

const KEY = /^siskin:\d+:[0-9a-f]{64}$/;
const LONGEST_TTL_SECONDS = 10_000_000;
/** Header of a `put`: time to live in seconds, and the length of the key. */
const HEADER_BYTES = 8;

export function cacheOperationAt(path: string): CacheOperationName | undefined {
  return (Object.keys(CACHE_PATHS) as CacheOperationName[]).find((name) => CACHE_PATHS[name] === path);
}

export function writeCacheOperation(operation: CacheOperation): Uint8Array {
  const key = new TextEncoder().encode(operation.key);
  if (operation.name === "get") return key;
  const body = new Uint8Array(HEADER_BYTES + key.length + operation.value.length);
  const header = new DataView(body.buffer);
  header.setUint32(0, operation.ttlSeconds);
  header.setUint32(4, key.length);
  body.set(key, HEADER_BYTES);
  body.set(operation.value, HEADER_BYTES + key.length);
  return body;
}

/** `undefined` for a body that is not this operation. Accepts only keys of this service: a store may hold other data too. */
export function readCacheOperation(name: CacheOperationName, body: Uint8Array): CacheOperation | undefined {
  const decoder = new TextDecoder();
  if (name === "get") {
    const key = decoder.decode(body);
    return KEY.test(key) ? { name, key } : undefined;
  }
  if (body.length < HEADER_BYTES) return undefined;
  const header = new DataView(body.buffer, body.byteOffset, HEADER_BYTES);
  const ttlSeconds = header.getUint32(0);
  const end = HEADER_BYTES + header.getUint32(4);
  if (end > body.length) return undefined;
  const key = decoder.decode(body.subarray(HEADER_BYTES, end));
  if (!KEY.test(key) || ttlSeconds < 1 || ttlSeconds > LONGEST_TTL_SECONDS) return undefined;
  return { name, key, ttlSeconds, value: body.subarray(end) };
}
