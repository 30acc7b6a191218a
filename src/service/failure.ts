/** What a use case throws: one typed family that carries everything the error body says (contract §5.1, decisions W6). */
import { lineAndColumn } from "../planner/diagnostics.ts";
import type { ManifestProblem } from "../planner/index.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { type ErrorOutcome, outcomeOf, type Reason } from "./errors.ts";
import type { Operation } from "./operations.ts";

/** A place in the caller's SQL. Line, column and offset are 1-based; columns, offset and length count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}

export interface FailureMetadata {
  readonly position?: Position;
  /** Near names that this caller may see, best first. */
  readonly suggestions?: readonly string[];
  /** What to do about it, in one sentence. */
  readonly hint?: string;
  /** The plan in the input language: what the caller's SQL became before the source's dialect. */
  readonly plannedSql?: string;
  /** The SQL that was sent to the source. */
  readonly dialectSql?: string;
  /** Everything that is wrong with a manifest, up to a bound. */
  readonly problems?: readonly ManifestProblem[];
  /** How many problems there are besides those told. */
  readonly moreProblems?: number;
}

export interface ServiceErrorDetails {
  readonly operation?: Operation | undefined;
  readonly metadata?: FailureMetadata;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** `message` is for people and may hold the source's text: it passes the redactor before it leaves. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly reason: Reason;
  readonly operation: Operation | undefined;
  readonly metadata: FailureMetadata;
  readonly outcome: ErrorOutcome;

  constructor(reason: Reason, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.operation = details.operation;
    this.metadata = details.metadata ?? {};
    const outcome = outcomeOf(reason, details.operation);
    this.outcome = { ...outcome, retryAfter: details.retryAfter ?? outcome.retryAfter };
  }
}

/** Where a span of the caller's SQL is, in the numbers people count with. */
export function positionOf(sql: string, span: Span): Position {
  const start = Math.min(span.start, sql.length);
  return {
    ...lineAndColumn(sql, start),
    offset: start + 1,
    length: Math.max(0, Math.min(span.end, sql.length) - start),
  };
}
