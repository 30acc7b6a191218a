/** Stores sealed answers. A store sees only opaque names and bytes, and may lose, cut, swap or delay them. */
export interface CacheStore {
  /** `undefined` without an entry of this name. Rejects when the store cannot be reached, or when `signal` fires. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Replaces the value under the name. Rejects when the store does not accept the value. */
  put(name: string, value: Uint8Array, ttlSeconds: number, signal: AbortSignal): Promise<void>;
}
