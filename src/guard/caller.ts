/** A caller as authenticated by its credentials, and the reasons for a refusal. */
import type { CallerLimits } from "../config/callers.ts";

/** Names of connections that the operator has configured (docs/decisions/0030-named-connections.md). */
export type UsableConnections = "all" | ReadonlySet<string>;

/** Names of projects that the operator has published (docs/decisions/0025-whom-we-trust.md). */
export type UsableProjects = "all" | ReadonlySet<string>;

/** The name of all callers if authentication is off. */
export const ANONYMOUS = "anonymous";

export interface Caller {
  /** Shown in logs; `ANONYMOUS` if authentication is off. */
  readonly id: string;
  /** Session properties that the caller's credentials fix: names in lower case, values as SQL literal text. */
  readonly claims: ReadonlyMap<string, string>;
  /** Names that only credentials may set, even if this caller's credentials do not. */
  readonly bound: ReadonlySet<string>;
  /** The operator's connections that the caller may use; it does not even see the names of the others. */
  readonly connections: UsableConnections;
  /** Whether its requests may contain connection fields. */
  readonly ownConnections: boolean;
  readonly limits: CallerLimits;
  /**
   * The operator's projects that the caller may use. A project brings its connection; no right to the connection follows. None when
   * absent.
   */
  readonly projects?: UsableProjects;
  /** May use a project with other session values than its own. */
  readonly viewAs?: boolean;
  /** May call operations of the operator, such as checks of a project's manifest. */
  readonly operates?: boolean;
  /** May use the Model Context Protocol; false for a token without the scope siskin:query. */
  readonly isAgent?: boolean;
}

/** `service/errors.ts` maps each reason to an error code, phase and HTTP status (docs/spec/contract.md#error-codes). */
export type CallerReason =
  /** The request has no credentials. */
  | "CREDENTIALS_MISSING"
  /** One reason for all invalid credentials, so that a caller does not learn how close a guess was. */
  | "CREDENTIALS_INVALID"
  | "CREDENTIALS_EXPIRED"
  /** Valid credentials without a claim that the operator requires. */
  | "CLAIM_REQUIRED"
  | "CLAIM_INVALID"
  /** The issuer's keys are unavailable. */
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
