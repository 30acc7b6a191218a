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
  /** Message and hint are made of the caller's own SQL and manifest alone. */
  readonly ownWords?: boolean;
  /** Message or hint hold the words of a driver or an engine, which may quote anything. */
  readonly quotesSource?: boolean;
}

/**
 * `message` is for people. It may hold the words of a driver or an engine, which pass the redactor before they leave; our
 * own do not, since a password that is a word of the schema would garble them and give itself away (decisions K7).
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly reason: Reason;
  readonly operation: Operation | undefined;
  readonly metadata: FailureMetadata;
  readonly outcome: ErrorOutcome;
  readonly ownWords: boolean;
  readonly quotesSource: boolean;

  constructor(reason: Reason, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.operation = details.operation;
    this.metadata = details.metadata ?? {};
    this.ownWords = details.ownWords ?? false;
    this.quotesSource = details.quotesSource ?? false;
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

/** One text for those who read nothing but the message, as programs that repair their SQL do (decisions K4). */
export function withHint(message: string, hint: string | undefined): string {
  if (hint === undefined) return message;
  if (message.includes("\n")) return `${message}\n${hint}`;
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
}
