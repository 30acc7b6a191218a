/**
 * Caches decoded manifests per isolate by their text: comparing texts costs a fraction of a digest.
 *
 * Decoding and indexing a large manifest costs more than planning a query, and callers send the same manifest with every request.
 * The cache contains only data derived from the text, and none of a connection, session or plan, so two callers share an entry
 * only by sending the same text. Failures are not cached.
 */
import type { Manifest, Outcome } from "../planner/index.ts";

export interface ManifestCacheOptions {
  /** Limit for the sum of the cached texts, in UTF-16 code units. A decoded manifest takes a few times the size of its text. */
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
