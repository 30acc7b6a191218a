/** Translates failures of planner and connector for the caller: positions in its SQL, its operation, and a remedy. */
import { ConnectorFailure, type FailureReason } from "../connectors/failure.ts";
import { PlannerError } from "../planner/diagnostics.ts";
import type { Plan } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { ResultError } from "../result/failure.ts";
import { failureUnderRules, failureUnprovenly } from "./errors-under-rules.ts";
import { type FailureMetadata, positionOf, ServiceError, withHint } from "./failure.ts";
import { OPERATIONS, type Operation } from "./operations.ts";

export interface FailureContext {
  readonly operation: Operation | undefined;
  /** The caller's SQL; absent when the service wrote the SQL, whose positions mean nothing to the caller. */
  readonly sql?: string;
  /** Maps a span of the planned text to the caller's text, where the two differ. */
  readonly spanOf?: ((span: Span) => Span | undefined) | undefined;
  /** The statement that was sent to the source. */
  readonly planned?: PlannedStatement;
}

export interface PlannedStatement {
  readonly plan: Plan;
  readonly originOf: (plan: Plan, offset: number) => Span | undefined;
  /** The plan in the input language, made only when an error contains it. */
  readonly inputLanguage: () => string | undefined;
}

const INTERNAL_MESSAGE = "Internal error. Quote the correlation id when you report it.";

/** Any error outside the typed families is a defect of the service: its text goes to the log, not to the caller. */
export function toServiceError(error: unknown, context: FailureContext): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof PlannerError) return fromPlanner(error, context);
  if (error instanceof ConnectorFailure) return fromConnector(error, context);
  if (error instanceof ResultError && error.code === "CONVERSION") {
    return new ServiceError("CONVERSION", error.message, {
      operation: context.operation,
      cause: error,
      quotesSource: true,
      answersStatement: true,
    });
  }
  return new ServiceError("INTERNAL", INTERNAL_MESSAGE, { operation: context.operation, cause: error });
}

function fromPlanner(error: PlannerError, context: FailureContext): ServiceError {
  const metadata: FailureMetadata = {
    ...placeOf(error.span, context),
    ...(error.suggestions.length > 0 && { suggestions: error.suggestions }),
    ...(error.hint !== undefined && { hint: error.hint }),
  };
  return new ServiceError(error.reason, messageWithHint(error, context.operation), {
    operation: context.operation,
    metadata,
    cause: error,
    ownWords: true,
  });
}

/** Clients of a substitution read the table from the end of the message (docs/spec/contract.md#substitution-errors). */
function messageWithHint({ reason, message, hint }: PlannerError, operation: Operation | undefined): string {
  const endsWithTable = operation === "substitute" && (reason === "MODEL_NOT_FOUND" || reason === "AMBIGUOUS_MODEL");
  return endsWithTable ? message : withHint(message, hint);
}

/** `position`, if it lies in the caller's SQL. */
function placeOf(
  span: Span | undefined,
  { sql, spanOf }: Pick<FailureContext, "sql" | "spanOf">,
): Pick<FailureMetadata, "position"> {
  const own = span === undefined || spanOf === undefined ? span : spanOf(span);
  return own === undefined || sql === undefined ? {} : { position: positionOf(sql, own) };
}

function fromConnector(error: ConnectorFailure, context: FailureContext): ServiceError {
  const { restricted: isRestricted, rowRules } = context.planned?.plan ?? {};
  const isHidden = rowRules === "besteffort" ? !isBeforeStatement(error) : mayQuoteRows(error);
  if (isRestricted === true && isHidden) return restricted(error, context);
  const hint = joined(error.hint, sourceTextHint(error, context));
  const metadata: FailureMetadata = {
    ...(hint !== undefined && { hint }),
    ...(concernsTheStatement(error) && context.planned !== undefined && statementMetadata(error, context)),
  };
  return new ServiceError(error.reason, withHint(messageOf(error, context.operation), hint), {
    operation: context.operation,
    metadata,
    retryAfter: error.retryAfter,
    cause: error,
    quotesSource: !isOfOurWords(error),
    answersStatement: error.engineCode !== undefined && ANSWERS_A_STATEMENT.has(error.reason),
  });
}

/**
 * Whether the message is our own text, apart from names: if a password were a word of it, masking would garble it and reveal the
 * password.
 */
function isOfOurWords({ reason, engineCode }: ConnectorFailure): boolean {
  return engineCode === undefined && OF_OUR_WORDS.has(reason);
}

const OF_OUR_WORDS: ReadonlySet<FailureReason> = new Set([
  "INVALID_CONNECTION",
  "EGRESS_DENIED",
  "NEEDS_SIDECAR",
  "SIDECAR_UNREACHABLE",
  "CONNECTORS_UNREACHABLE",
  "FILES_TOO_LARGE",
  "COLUMN_NOT_FOUND",
  "OVERLOADED",
  "STATEMENT_TIMEOUT",
  "CANCELLED",
  "NO_TABLES",
  "NOT_IMPLEMENTED",
  "UNPROVEN_FENCE",
]);

/** Behind a barrier that is not proven, every other error may depend on excluded rows: a connection that ends, too. */
function isBeforeStatement(error: ConnectorFailure): boolean {
  return isOfOurWords(error) || (error.engineCode === undefined && OF_CONNECTIONS.has(error.reason));
}

const OF_CONNECTIONS: ReadonlySet<FailureReason> = new Set([
  "HOST_UNREACHABLE",
  "TLS_UNTRUSTED",
  "AUTHENTICATION",
  "SIDECAR_REFUSED",
  "ANOTHER_VARIANT",
]);

const ANSWERS_A_STATEMENT: ReadonlySet<FailureReason> = new Set(["SOURCE_INVALID_SQL", "SOURCE_ERROR"]);

/** A hint when the source reports an error within native SQL of the modeller (docs/decisions/0023-native-sql.md). */
function sourceTextHint({ position }: ConnectorFailure, { planned }: FailureContext): string | undefined {
  if (position === undefined || planned === undefined) return undefined;
  const text = planned.plan.sourceTexts.find(({ start, end }) => start <= position && position < end);
  return text && `It is in ${text.owner}, which is written in the source's own language.`;
}

const joined = (...hints: readonly (string | undefined)[]): string | undefined =>
  hints.some((hint) => hint !== undefined) ? hints.filter((hint) => hint !== undefined).join(" ") : undefined;

/** While access rules are active, the source's message may quote excluded rows, and the SQL shows the rules. */
function restricted(error: ConnectorFailure, { operation, planned }: FailureContext): ServiceError {
  const isUnproven = planned?.plan.rowRules === "besteffort";
  const shown = isUnproven ? failureUnprovenly(error) : failureUnderRules(error);
  const metadata: FailureMetadata = shown.hint === undefined ? {} : { hint: shown.hint };
  return new ServiceError(shown.reason, messageOf(shown, operation), {
    operation,
    metadata,
    retryAfter: error.retryAfter,
    cause: error,
  });
}

/**
 * File readers quote a line that they cannot read, even if the caller may not see it. Without an engine's code the message is
 * ours.
 */
function mayQuoteRows(error: ConnectorFailure): boolean {
  return concernsTheStatement(error) || (error.reason === "FILE_INVALID" && error.engineCode !== undefined);
}

/** Failures for which the sent SQL is useful; a refused connection is not one. */
function concernsTheStatement(error: ConnectorFailure): boolean {
  return CONCERN_THE_STATEMENT.has(error.reason);
}

const CONCERN_THE_STATEMENT: ReadonlySet<FailureReason> = new Set([
  "SOURCE_INVALID_SQL",
  "SOURCE_ERROR",
  "SOURCE_OUT_OF_MEMORY",
  "SOURCE_CRASHED",
  "STATEMENT_TIMEOUT",
]);

function statementMetadata(error: ConnectorFailure, context: FailureContext): FailureMetadata {
  const { planned } = context;
  if (planned === undefined) return {};
  const span = error.position === undefined ? undefined : planned.originOf(planned.plan, error.position);
  const plannedSql = planned.inputLanguage();
  return {
    ...placeOf(span, context),
    ...(plannedSql !== undefined && { plannedSql }),
    dialectSql: planned.plan.sql,
  };
}

/** Clients recognise a statement time-out by the start of its message (docs/spec/contract.md#outcomes). */
function messageOf(error: ConnectorFailure, operation: Operation | undefined): string {
  if (error.reason !== "STATEMENT_TIMEOUT" || operation === undefined) return error.message;
  const advice =
    "The statement ran out of its time on the data source; raise x-wren-db-statement_timeout or read less.";
  return `${OPERATIONS[operation].label} was cancelled: ${error.message}\n${advice}`;
}
