/**
 * Footers of Parquet files, so that a second question over the same files reads their values alone. An entry is of one
 * version of one object as one connection may read it: whoever brings other credentials finds nothing (decisions S512).
 */
import type { StoredObject } from "../object-store.ts";
import type { Footer } from "./footer.ts";

export class FooterCache {
  /** Oldest use first. */
  readonly #entries = new Map<string, Footer>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** `maxBytes`: of footers as they stand in files; read, they take a few times that. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `identity`: of the connection, with its secrets. */
  get(identity: string, object: StoredObject): Footer | undefined {
    const key = keyOf(identity, object);
    const footer = this.#entries.get(key);
    if (footer === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, footer);
    return footer;
  }

  set(identity: string, object: StoredObject, footer: Footer): void {
    const key = keyOf(identity, object);
    if (footer.length > this.#maxBytes || this.#entries.has(key)) return;
    this.#entries.set(key, footer);
    this.#bytes += footer.length;
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
  }
}

function keyOf(identity: string, { key, etag, size }: StoredObject): string {
  return JSON.stringify([identity, key, etag, size]);
}
