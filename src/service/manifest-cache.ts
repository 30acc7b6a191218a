/**
 * Decoded manifests, kept per isolate under the SHA-256 of their text.
 *
 * Decoding and indexing a large manifest costs more than planning a query, and callers send the same one with every
 * request. Only what the text itself says is kept: nothing of a connection, a session or a plan, so that two callers
 * can share an entry only by sending the same text. Failures are not kept.
 */
import type { Manifest, Outcome } from "../planner/index.ts";

export interface ManifestCacheOptions {
  /** Sum of the lengths of the cached texts, in UTF-16 units. A decoded manifest takes a few times its text. */
  readonly maxLength: number;
  readonly maxEntries: number;
  readonly load: (base64: string) => Outcome<Manifest>;
}

export interface ManifestCache {
  get(base64: string): Promise<Outcome<Manifest>>;
}

export function createManifestCache(options: ManifestCacheOptions): ManifestCache {
  // A Map iterates in the order of insertion: re-inserting on every hit makes its first key the least recently used.
  const entries = new Map<string, { readonly length: number; readonly outcome: Outcome<Manifest> }>();
  let total = 0;

  const evict = (): void => {
    for (const [key, entry] of entries) {
      if (entries.size <= options.maxEntries && total <= options.maxLength) return;
      entries.delete(key);
      total -= entry.length;
    }
  };

  return {
    async get(base64) {
      const key = await digestOf(base64);
      const known = entries.get(key);
      if (known !== undefined) {
        entries.delete(key);
        entries.set(key, known);
        return known.outcome;
      }
      const outcome = options.load(base64);
      if (outcome.ok && base64.length <= options.maxLength) {
        entries.set(key, { length: base64.length, outcome });
        total += base64.length;
        evict();
      }
      return outcome;
    },
  };
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
