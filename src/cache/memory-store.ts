/** Answers in the memory of this isolate, bounded: for a service of one process without a separate store. */
import type { CacheStore } from "./store.ts";

interface Entry {
  readonly value: Uint8Array;
  readonly expiresAt: number;
}

export interface MemoryStoreOptions {
  /** Maximum sum of the stored values; a larger value is not stored. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Cost of an entry besides its value, so that empty answers are bounded too. */
const ENTRY_BYTES = 256;

export class MemoryStore implements CacheStore {
  readonly #options: MemoryStoreOptions;
  // A Map iterates in the order of insertion: re-inserting on every hit makes its first key the least recently used.
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#remove(name, entry);
    if (entry.expiresAt <= this.#options.now()) return undefined;
    this.#add(name, entry);
    return entry.value;
  }

  async put(name: string, value: Uint8Array, ttlSeconds: number): Promise<void> {
    const known = this.#entries.get(name);
    if (known !== undefined) this.#remove(name, known);
    if (value.length + ENTRY_BYTES > this.#options.maxBytes) return;
    this.#add(name, { value, expiresAt: this.#options.now() + ttlSeconds * 1000 });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#options.maxBytes) return;
      this.#remove(oldest, entry);
    }
  }

  #add(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#bytes += entry.value.length + ENTRY_BYTES;
  }

  #remove(name: string, entry: Entry): void {
    this.#entries.delete(name);
    this.#bytes -= entry.value.length + ENTRY_BYTES;
  }
}
