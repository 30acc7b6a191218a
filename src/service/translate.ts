/** Planner and connector failures, told in the terms of the caller: its own SQL, its operation, what to do. */
import { ConnectorFailure, type FailureReason } from "../connectors/failure.ts";
import { PlannerError } from "../planner/diagnostics.ts";
import type { Plan } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { ResultError } from "../result/failure.ts";
import { failureUnderRules } from "./errors-under-rules.ts";
import { type FailureMetadata, positionOf, ServiceError, withHint } from "./failure.ts";
import { OPERATIONS, type Operation } from "./operations.ts";

export interface FailureContext {
  readonly operation: Operation | undefined;
  /** The caller's SQL; absent when the SQL is ours, whose positions mean nothing to the caller. */
  readonly sql?: string;
  /** From the text that was planned to the caller's, where they are not the same. */
  readonly spanOf?: ((span: Span) => Span | undefined) | undefined;
  /** What was sent to the source. */
  readonly planned?: PlannedStatement;
}

export interface PlannedStatement {
  readonly plan: Plan;
  readonly originOf: (plan: Plan, offset: number) => Span | undefined;
  /** The plan in the input language, made only when an error has to show it. */
  readonly inputLanguage: () => string | undefined;
}

const INTERNAL_MESSAGE = "Internal error. Quote the correlation id when you report it.";

/** Everything that is neither of the typed families is a fault of ours: its text is for the log, not for the caller. */
export function toServiceError(error: unknown, context: FailureContext): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof PlannerError) return fromPlanner(error, context);
  if (error instanceof ConnectorFailure) return fromConnector(error, context);
  if (error instanceof ResultError && error.code === "CONVERSION") {
    return new ServiceError("CONVERSION", error.message, {
      operation: context.operation,
      cause: error,
      quotesSource: true,
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

/** Clients of a substitution read the table off the end of the message (contract §9.2). */
function messageWithHint({ reason, message, hint }: PlannerError, operation: Operation | undefined): string {
  const endsWithTable = operation === "substitute" && (reason === "MODEL_NOT_FOUND" || reason === "AMBIGUOUS_MODEL");
  return endsWithTable ? message : withHint(message, hint);
}

/** `position`, when the place is one in the caller's SQL. */
function placeOf(
  span: Span | undefined,
  { sql, spanOf }: Pick<FailureContext, "sql" | "spanOf">,
): Pick<FailureMetadata, "position"> {
  const own = span === undefined || spanOf === undefined ? span : spanOf(span);
  return own === undefined || sql === undefined ? {} : { position: positionOf(sql, own) };
}

function fromConnector(error: ConnectorFailure, context: FailureContext): ServiceError {
  if (context.planned?.plan.restricted === true && mayQuoteRows(error)) return restricted(error, context);
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
  });
}

/** Whether the sentence is ours, up to names: a password that is a word of it would garble it, and the mask would tell it. */
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
  "OVERLOADED",
  "STATEMENT_TIMEOUT",
  "CANCELLED",
  "NO_TABLES",
  "NOT_IMPLEMENTED",
]);

/** Where the source stumbled over the modeller's own text (decisions K1). */
function sourceTextHint({ position }: ConnectorFailure, { planned }: FailureContext): string | undefined {
  if (position === undefined || planned === undefined) return undefined;
  const text = planned.plan.sourceTexts.find(({ start, end }) => start <= position && position < end);
  return text && `It is in ${text.owner}, which is written in the source's own language.`;
}

const joined = (...hints: readonly (string | undefined)[]): string | undefined =>
  hints.some((hint) => hint !== undefined) ? hints.filter((hint) => hint !== undefined).join(" ") : undefined;

/** While rules are active the source's own words may quote a row that they exclude, and the SQL shows the rules. */
function restricted(error: ConnectorFailure, { operation }: FailureContext): ServiceError {
  const shown = failureUnderRules(error);
  const metadata: FailureMetadata = shown.hint === undefined ? {} : { hint: shown.hint };
  return new ServiceError(shown.reason, messageOf(shown, operation), {
    operation,
    metadata,
    retryAfter: error.retryAfter,
    cause: error,
  });
}

/** A reader of files quotes the line that it cannot read, whoever may see it; without an engine's code the words are ours. */
function mayQuoteRows(error: ConnectorFailure): boolean {
  return concernsTheStatement(error) || (error.reason === "FILE_INVALID" && error.engineCode !== undefined);
}

/** Failures for which the SQL that was sent tells something; a refused connection is not one. */
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

/** Clients recognise a statement time-out by how its message begins (contract §5.4). */
function messageOf(error: ConnectorFailure, operation: Operation | undefined): string {
  if (error.reason !== "STATEMENT_TIMEOUT" || operation === undefined) return error.message;
  const advice =
    "The statement ran out of its time on the data source; raise x-wren-db-statement_timeout or read less.";
  return `${OPERATIONS[operation].label} was cancelled: ${error.message}\n${advice}`;
}
