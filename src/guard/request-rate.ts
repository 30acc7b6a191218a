/**
 * How often a caller may ask (decisions S177): by a table of this isolate, and by the platform's counter where one is bound.
 *
 * An isolate knows only what came to it: with n isolates a caller may get n times the number. The platform's counter is
 * shared by the isolates of a place, and its own number is written where it is bound.
 */
import type { Caller } from "./caller.ts";

/** Cloudflare's binding for rate limits. */
export interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** The binding `RATE_LIMITER`, where there is one. */
export function rateLimiterIn(environment: Readonly<Record<string, unknown>>): RateLimiter | undefined {
  const { RATE_LIMITER: bound } = environment;
  const isLimiter = typeof bound === "object" && bound !== null && "limit" in bound;
  return isLimiter ? (bound as RateLimiter) : undefined;
}

export interface RequestRate {
  /** Seconds after which to ask again; `undefined` when the request may go on. */
  waitOf(caller: Caller): Promise<number | undefined>;
}

/** Callers that are remembered; of more, those go that have not asked for the longest. */
const MOST_CALLERS = 10_000;
const MINUTE = 60_000;

interface Bucket {
  /** Requests that may still come at once. */
  left: number;
  at: number;
}

export function createRequestRate(limiter: RateLimiter | undefined, now: () => number = Date.now): RequestRate {
  const buckets = new Map<string, Bucket>();

  /** A bucket that a minute fills: bursts up to the number, and the number a minute in the long run. */
  function ownWait({ id, limits: { requestsPerMinute: most } }: Caller): number | undefined {
    if (most === undefined) return undefined;
    const at = now();
    const known = buckets.get(id);
    const left = known === undefined ? most : Math.min(most, known.left + ((at - known.at) * most) / MINUTE);
    const isRefused = left < 1;
    // To the end of the table, which is the order in which they are forgotten.
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
        // A counter that does not answer is no reason to turn callers away: the isolate's own has let them pass.
        return undefined;
      }
    },
  };
}

/** Seconds. The platform does not say when; its periods are 10 and 60. */
const SHARED_WAIT = 10;

function secondsUntilOne(left: number, most: number): number {
  return Math.max(1, Math.ceil(((1 - left) * 60) / most));
}
