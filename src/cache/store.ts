/** Where sealed answers lie. A store sees names and bytes that tell nothing, and may lose, cut, swap or delay them. */
export interface CacheStore {
  /** `undefined` when it has nothing of this name. Rejects when it cannot be asked, or when `signal` fires. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Rejects when it does not take the value. What is there under the name is replaced. */
  put(name: string, value: Uint8Array, ttlSeconds: number, signal: AbortSignal): Promise<void>;
}
