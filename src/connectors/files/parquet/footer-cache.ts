/**
 * Caches footers of Parquet files, so that a second query over the same files reads only their values. An entry belongs to one
 * version of one object and to one connection: other credentials find nothing
 * (docs/decisions/0054-parquet-by-needed-bytes.md#decision).
 */
import type { StoredObject } from "../object-store.ts";
import type { StoredFooter } from "./footer.ts";

export class FooterCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, StoredFooter>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** `maxBytes`: limit for the sum of footers and keys. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `identity`: of the connection, with its secrets. */
  get(identity: string, object: StoredObject): StoredFooter | undefined {
    const key = keyOf(identity, object);
    const footer = this.#entries.get(key);
    if (footer === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, footer);
    return footer;
  }

  set(identity: string, object: StoredObject, { bytes, start }: StoredFooter): void {
    const key = keyOf(identity, object);
    const size = key.length + bytes.length;
    if (size > this.#maxBytes || this.#entries.has(key)) return;
    // Copied, so that the buffer it was read with can be freed.
    this.#entries.set(key, { bytes: bytes.slice(), start });
    this.#bytes += size;
    for (const [oldest, footer] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= oldest.length + footer.bytes.length;
    }
  }
}

function keyOf(identity: string, { key, etag, size }: StoredObject): string {
  return JSON.stringify([identity, key, etag, size]);
}
