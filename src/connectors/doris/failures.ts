/**
 * Converts errors of Doris. Nearly all have the number 1105 and no SQLSTATE of their own, so they are classified by their texts,
 * which come from the frontend's analysis (`errCode = 2, detailMessage = …`) or from a backend (`(10.0.0.1)[INVALID_ARGUMENT]…`).
 */
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { type ServerError, statementFailure } from "../mysql/failures.ts";

const UNTOLD = 1105;

/** The first match decides. */
const REASONS: readonly (readonly [told: RegExp, reason: FailureReason])[] = [
  [/timeout|timed out/i, "STATEMENT_TIMEOUT"],
  [/denied/i, "SOURCE_ERROR"],
  [/\)\[[A-Z_]+\]|in strict mode|overflow|out of range|queue/i, "SOURCE_ERROR"],
  [/errCode = 2\b/, "SOURCE_INVALID_SQL"],
];

/** An error of a statement; `sql` is the sent text, for the position. */
export function dorisFailure(error: ServerError, sql: string): ConnectorFailure {
  const failure = statementFailure(error, sql);
  if (error.number !== UNTOLD) return failure;
  const reason = REASONS.find(([told]) => told.test(error.message))?.[1] ?? "SOURCE_ERROR";
  const position = reason === "SOURCE_INVALID_SQL" ? positionIn(error.message, sql) : undefined;
  return new ConnectorFailure(reason, failure.message, {
    engineCode: String(UNTOLD),
    ...(position !== undefined && { position }),
    cause: error,
  });
}

/** `(line 1, pos 7)`: lines from 1, characters from 0. A plan is one line. */
function positionIn(message: string, sql: string): number | undefined {
  const [, line, place] = /\(line (\d+), pos (\d+)\)/.exec(message) ?? [];
  const at = Number(place);
  return line === "1" && !sql.includes("\n") && at < sql.length ? at : undefined;
}
