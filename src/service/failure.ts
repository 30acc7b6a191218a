/**
 * The errors of use cases: one typed family with all members of the error body (docs/spec/contract.md#error-bodies,
 * docs/decisions/0004-errors-that-can-be-repaired.md).
 */
import { lineAndColumn } from "../planner/diagnostics.ts";
import type { ManifestProblem } from "../planner/index.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { type ErrorOutcome, outcomeOf, type Reason } from "./errors.ts";
import type { Operation } from "./operations.ts";

/** A position in the caller's SQL. Line, column and offset are 1-based; columns, offset and length count UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}

export interface FailureMetadata {
  readonly position?: Position;
  /** Similar names that this caller may see, best first. */
  readonly suggestions?: readonly string[];
  /** The remedy, in one sentence. */
  readonly hint?: string;
  /** The plan in the input language: the caller's SQL before the source's dialect is applied. */
  readonly plannedSql?: string;
  /** The SQL that was sent to the source. */
  readonly dialectSql?: string;
  /** All problems of a manifest, up to a limit. */
  readonly problems?: readonly ManifestProblem[];
  /** Number of further problems beyond the limit. */
  readonly moreProblems?: number;
}

export interface ServiceErrorDetails {
  readonly operation?: Operation | undefined;
  readonly metadata?: FailureMetadata;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
  /** Message and hint contain only the caller's own SQL and manifest. */
  readonly ownWords?: boolean;
  /** Message or hint contain text of a driver or an engine, which may quote anything. */
  readonly quotesSource?: boolean;
  /** The words are an engine's answer to a statement, or name a value of its rows. */
  readonly answersStatement?: boolean;
}

/**
 * `message` is for people. Text of a driver or an engine passes the redactor before it leaves the service. Our own text does not:
 * if a password were a word of the schema, the redactor would garble the message and reveal the password
 * (docs/decisions/0038-redaction.md).
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly reason: Reason;
  readonly operation: Operation | undefined;
  readonly metadata: FailureMetadata;
  readonly outcome: ErrorOutcome;
  readonly ownWords: boolean;
  readonly quotesSource: boolean;
  readonly answersStatement: boolean;

  constructor(reason: Reason, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.operation = details.operation;
    this.metadata = details.metadata ?? {};
    this.ownWords = details.ownWords ?? false;
    this.quotesSource = details.quotesSource ?? false;
    this.answersStatement = details.answersStatement ?? false;
    const outcome = outcomeOf(reason, details.operation);
    this.outcome = { ...outcome, retryAfter: details.retryAfter ?? outcome.retryAfter };
  }
}

/** Converts a span of the caller's SQL to line and column. */
export function positionOf(sql: string, span: Span): Position {
  const start = Math.min(span.start, sql.length);
  return {
    ...lineAndColumn(sql, start),
    offset: start + 1,
    length: Math.max(0, Math.min(span.end, sql.length) - start),
  };
}

/**
 * Message and hint as one text, for readers that use only the message, such as programs that repair their SQL
 * (docs/decisions/0004-errors-that-can-be-repaired.md).
 */
export function withHint(message: string, hint: string | undefined): string {
  if (hint === undefined) return message;
  if (message.includes("\n")) return `${message}\n${hint}`;
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
}
