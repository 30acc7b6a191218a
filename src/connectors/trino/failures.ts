/** Converts Trino's errors to the connectors' typed failures (Trino's `StandardErrorCode` for the names). */
import { ConnectorFailure, type FailureReason } from "../failure.ts";

/** The `error` of a response. */
export interface TrinoError {
  readonly message?: string;
  readonly errorName?: string;
  /** `USER_ERROR`, `INTERNAL_ERROR`, `INSUFFICIENT_RESOURCES`, `EXTERNAL`. */
  readonly errorType?: string;
  /** Both from 1, in characters of the statement. Only analysis errors have it. */
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number } | null;
}

/** Limit for texts that appear in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  ["EXCEEDED_TIME_LIMIT", "STATEMENT_TIMEOUT"],
  ["SYNTAX_ERROR", "SOURCE_INVALID_SQL"],
  ["PERMISSION_DENIED", "SOURCE_ERROR"],
  ["QUERY_QUEUE_FULL", "OVERLOADED"],
  ["QUERY_REJECTED", "OVERLOADED"],
  // Workers may come back, or be added.
  ["NO_NODES_AVAILABLE", "OVERLOADED"],
  ["SERVER_STARTING_UP", "OVERLOADED"],
  ["SERVER_SHUTTING_DOWN", "OVERLOADED"],
]);

/** Only the message distinguishes it from other unsupported features. */
const TOO_DEEP = /^Recursion depth limit exceeded/;
const TOO_DEEP_HINT =
  "Each step of a recursion is planned before the first is run. Write a series as generate_series; Trino's session property max_recursion_depth (kwargs.sessionProperties) can be raised to some twenty steps.";

/** `before`: number of lines before the statement `sql` in the sent text. */
export function trinoFailure(error: TrinoError, sql: string, before: number): ConnectorFailure {
  const { message = "The statement failed.", errorName = "", errorType, errorLocation } = error;
  // Errors of the analysis have a position. Run-time errors, such as a division by zero, are user errors too, but have none.
  const found = errorType === "USER_ERROR" && errorLocation != null ? "SOURCE_INVALID_SQL" : "SOURCE_ERROR";
  const reason = REASONS.get(errorName) ?? found;
  const position = errorLocation == null ? undefined : offsetOf(errorLocation, sql, before);
  return new ConnectorFailure(reason, message.length <= MAX_TEXT ? message : `${message.slice(0, MAX_TEXT)}…`, {
    ...(errorName !== "" && { engineCode: errorName }),
    ...(TOO_DEEP.test(message) && { hint: TOO_DEEP_HINT }),
    ...(position !== undefined && { position }),
    ...(reason === "OVERLOADED" && { retryAfter: 5 }),
  });
}

/** Converts lines and characters to a 0-based UTF-16 offset; undefined outside the statement. */
function offsetOf(
  { lineNumber, columnNumber }: NonNullable<TrinoError["errorLocation"]>,
  sql: string,
  before: number,
): number | undefined {
  let offset = 0;
  for (let line = lineNumber - before; line !== 1; line--) {
    const end = line < 1 ? -1 : sql.indexOf("\n", offset);
    if (end < 0) return undefined;
    offset = end + 1;
  }
  for (let characters = columnNumber - 1; characters > 0; characters--) {
    if (offset >= sql.length) return undefined;
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return columnNumber >= 1 && offset <= sql.length ? offset : undefined;
}
