/** A caller as its credentials make it, and why there may be none. */
import type { CallerLimits } from "../config/callers.ts";

/** Names of connections that the operator has configured (decisions C8). */
export type UsableConnections = "all" | ReadonlySet<string>;

/** The name of all callers where they are not told apart. */
export const ANONYMOUS = "anonymous";

export interface Caller {
  /** Shown in logs; `ANONYMOUS` where callers are not told apart. */
  readonly id: string;
  /** Session properties that the caller's credentials fix: names in lower case, values as SQL literal text. */
  readonly claims: ReadonlyMap<string, string>;
  /** Names that only credentials may give a value, whether or not these do. */
  readonly bound: ReadonlySet<string>;
  /** Which of the operator's connections it may use; of the others it does not even learn the names. */
  readonly connections: UsableConnections;
  /** Whether it may bring connections of its own besides. */
  readonly ownConnections: boolean;
  readonly limits: CallerLimits;
}

/** `service/errors.ts` maps each onto error code, phase and HTTP status (decisions E). */
export type CallerReason =
  /** Nothing that proves who calls. */
  | "CREDENTIALS_MISSING"
  /** What is there proves nothing: not told apart, so that nobody learns how near a guess came. */
  | "CREDENTIALS_INVALID"
  | "CREDENTIALS_EXPIRED"
  /** Credentials that hold, and lack what the operator wants of them. */
  | "CLAIM_REQUIRED"
  | "CLAIM_INVALID"
  /** The issuer's keys cannot be had. */
  | "ISSUER_UNAVAILABLE"
  | "RATE_LIMITED"
  | "CONCURRENCY_LIMITED";

export interface CallerRefusal {
  readonly reason: CallerReason;
  readonly message: string;
  readonly hint?: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export type Authentication =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: CallerRefusal };

export function refused(reason: CallerReason, message: string, hint?: string): Authentication & { ok: false } {
  return { ok: false, refusal: { reason, message, ...(hint !== undefined && { hint }) } };
}
