/**
 * Footers of Parquet files, so that a second question over the same files reads their values alone. An entry is of one
 * version of one object as one connection may read it: whoever brings other credentials finds nothing (decisions S512).
 */
import type { StoredObject } from "../object-store.ts";
import type { StoredFooter } from "./footer.ts";

export class FooterCache {
  /** Oldest use first. */
  readonly #entries = new Map<string, StoredFooter>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** `maxBytes`: of footers as they stand in files, and of what they are known by. */
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
    // What was read with it is not held.
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
