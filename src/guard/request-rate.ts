/**
 * Limits the request rate of callers (docs/decisions/0033-limits.md#decision): by a table of this isolate, and by the platform's
 * counter if one is bound.
 *
 * An isolate counts only its own requests: with n isolates a caller may send n times the limit. The isolates of a location share
 * the platform's counter, whose limit is set in its binding.
 */
import type { Caller } from "./caller.ts";

/** Cloudflare's binding for rate limits. */
export interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** The binding `RATE_LIMITER`, if it exists. */
export function rateLimiterIn(environment: Readonly<Record<string, unknown>>): RateLimiter | undefined {
  const { RATE_LIMITER: bound } = environment;
  const isLimiter = typeof bound === "object" && bound !== null && "limit" in bound;
  return isLimiter ? (bound as RateLimiter) : undefined;
}

export interface RequestRate {
  /** Seconds until a retry is allowed; `undefined` when the request may proceed. */
  waitOf(caller: Caller): Promise<number | undefined>;
}

/** Maximum number of remembered callers; beyond it, the least recently active ones are forgotten. */
const MOST_CALLERS = 10_000;
const MINUTE = 60_000;

interface Bucket {
  /** Requests that are allowed now. */
  left: number;
  at: number;
}

export function createRequestRate(limiter: RateLimiter | undefined, now: () => number = Date.now): RequestRate {
  const buckets = new Map<string, Bucket>();

  /** A bucket that refills in a minute: allows bursts up to the limit, and the limit per minute on average. */
  function ownWait({ id, limits: { requestsPerMinute: most } }: Caller): number | undefined {
    if (most === undefined) return undefined;
    const at = now();
    const known = buckets.get(id);
    const left = known === undefined ? most : Math.min(most, known.left + ((at - known.at) * most) / MINUTE);
    const isRefused = left < 1;
    // Moves the caller to the end of the table, from whose start entries are evicted.
    buckets.delete(id);
    buckets.set(id, { left: isRefused ? left : left - 1, at });
    const [oldest] = buckets.size > MOST_CALLERS ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
    return isRefused ? secondsUntilOne(left, most) : undefined;
  }

  return {
    async waitOf(caller) {
      const wait = ownWait(caller);
      if (wait !== undefined || limiter === undefined) return wait;
      try {
        return (await limiter.limit({ key: caller.id })).success ? undefined : SHARED_WAIT;
      } catch {
        // If the platform's counter fails, the request proceeds: the isolate's own limit has already allowed it.
        return undefined;
      }
    },
  };
}

/** Seconds. The platform does not report the time; its periods are 10 and 60. */
const SHARED_WAIT = 10;

function secondsUntilOne(left: number, most: number): number {
  return Math.max(1, Math.ceil(((1 - left) * 60) / most));
}
