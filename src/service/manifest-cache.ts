/**
 * Decoded manifests, kept per isolate under their text: comparing it costs a fraction of what a digest would.
 *
 * Decoding and indexing a large manifest costs more than planning a query, and callers send the same one with every
 * request. Only what the text itself says is kept: nothing of a connection, a session or a plan, so that two callers
 * can share an entry only by sending the same text. Failures are not kept.
 */
import type { Manifest, Outcome } from "../planner/index.ts";

export interface ManifestCacheOptions {
  /** Sum of the lengths of the cached texts, in UTF-16 units. They are kept, and a decoded manifest takes a few times its text. */
  readonly maxLength: number;
  readonly maxEntries: number;
  readonly load: (base64: string) => Outcome<Manifest>;
}

export interface ManifestCache {
  get(base64: string): Outcome<Manifest>;
}

export function createManifestCache(options: ManifestCacheOptions): ManifestCache {
  // A Map iterates in the order of insertion: re-inserting on every hit makes its first key the least recently used.
  const entries = new Map<string, Outcome<Manifest>>();
  let total = 0;

  const evict = (): void => {
    for (const text of entries.keys()) {
      if (entries.size <= options.maxEntries && total <= options.maxLength) return;
      entries.delete(text);
      total -= text.length;
    }
  };

  return {
    get(base64) {
      const known = entries.get(base64);
      if (known !== undefined) {
        entries.delete(base64);
        entries.set(base64, known);
        return known;
      }
      const outcome = options.load(base64);
      if (outcome.ok && base64.length <= options.maxLength) {
        entries.set(base64, outcome);
        total += base64.length;
        evict();
      }
      return outcome;
    },
  };
}
