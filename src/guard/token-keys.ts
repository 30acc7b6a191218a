/**
 * The public keys for checking tokens: from the settings, or fetched from the issuer and cached
 * (docs/decisions/0031-authentication-is-chosen.md#decision).
 *
 * A sender of unsigned tokens must not cause a request to the issuer each time. Keys are fetched when the cached ones are old, and
 * for an unknown key at most twice a minute, whether or not the issuer answered.
 */
import type { JSONWebKeySet } from "jose";
import { createLocalJWKSet } from "jose/jwks/local";

export type KeyLookup = ReturnType<typeof createLocalJWKSet>;

/** Lets work continue after the request that began it has ended: others wait for its outcome. */
export type Defer = (work: Promise<unknown>) => void;

export interface TokenKeys {
  /** The cached keys; `undefined` when none are available. `unless`: keys that were tried and lack the key of the token. */
  keys(unless?: KeyLookup, defer?: Defer): Promise<KeyLookup | undefined>;
}

export function givenKeys(set: JSONWebKeySet): TokenKeys {
  const lookup = createLocalJWKSet(set);
  return { keys: async () => lookup };
}

export interface FetchedKeysOptions {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** Age after which keys are fetched again. */
const FRESH_MS = 10 * 60_000;
/** While the issuer is unreachable, cached keys remain valid for this long. */
const STALE_MS = 60 * 60_000;
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5000;
const LARGEST = 256 * 1024;
const MOST_KEYS = 100;
const TURN_MS = 20;

export function fetchedKeys({ url, fetch, timeoutMs = TIMEOUT_MS, now = Date.now }: FetchedKeysOptions): TokenKeys {
  let kept: { readonly lookup: KeyLookup; readonly at: number } | undefined;
  /** Time of the issuer's last answer or failure. */
  let answeredAt = Number.NEGATIVE_INFINITY;
  let askingSince: number | undefined;

  const isAsked = (): boolean => askingSince !== undefined && now() - askingSince < timeoutMs;

  async function ask(): Promise<void> {
    askingSince = now();
    try {
      kept = { lookup: createLocalJWKSet(await fetchKeys(url, fetch, timeoutMs)), at: now() };
    } catch {
      // The waiting requests get no new keys; cached keys remain valid for a while.
    } finally {
      answeredAt = now();
      askingSince = undefined;
    }
  }

  function isWanted(unless: KeyLookup | undefined): boolean {
    if (kept === undefined || now() - kept.at > FRESH_MS) return true;
    return unless !== undefined && unless === kept.lookup;
  }

  return {
    async keys(unless, defer) {
      while (isWanted(unless) && now() - answeredAt >= COOLDOWN_MS) {
        if (isAsked()) {
          // A Worker must not wait for a promise of another request: each request polls. A request that is cut off during the
          // fetch never clears its mark, so the next one fetches after a time-out.
          await new Promise((resolve) => setTimeout(resolve, TURN_MS));
          continue;
        }
        const asked = ask();
        defer?.(asked);
        await asked;
      }
      return kept !== undefined && now() - kept.at <= STALE_MS ? kept.lookup : undefined;
    },
  };
}

async function fetchKeys(url: string, fetch: typeof globalThis.fetch, timeoutMs: number): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    // Keys come only from the address in the settings, so redirects are not followed.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The issuer answered ${response.status}.`);
  }
  const set: unknown = JSON.parse(await boundedText(response.body));
  if (!isKeySet(set)) throw new Error("The issuer's answer is not a set of keys.");
  return set;
}

async function boundedText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LARGEST) throw new Error("The issuer's answer is too large.");
  }
  return text + decoder.decode();
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) return false;
  return value.keys.length <= MOST_KEYS && value.keys.every((key) => typeof key === "object" && key !== null);
}
