/** Converts Databricks' errors of statements and requests to the connectors' typed failures. */
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { statementFailure } from "../spark/failures.ts";
import { isDatabricks, MAX_TEXT, type StatementAnswer } from "./answers.ts";

/** Seconds; the service reports none. */
const RETRY_AFTER = 5;

/** Codes that are not caused by the statement: https://docs.databricks.com/api/workspace/statementexecution/getstatement */
const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  ["DEADLINE_EXCEEDED", "STATEMENT_TIMEOUT"],
  ["SERVICE_UNDER_MAINTENANCE", "OVERLOADED"],
  ["TEMPORARILY_UNAVAILABLE", "OVERLOADED"],
  ["UNAUTHENTICATED", "AUTHENTICATION"],
  ["WORKSPACE_TEMPORARILY_UNAVAILABLE", "OVERLOADED"],
]);

/**
 * The failure of a statement that ended without rows. `sql` was sent after `before` characters of the connector, on the same
 * line.
 */
export function endFailure({ state, error }: StatementAnswer, sql: string, before: number): ConnectorFailure {
  const { message, code } = error;
  if (state !== "FAILED") {
    const said = state === "CANCELED" ? "The statement was stopped on Databricks." : "The result no longer exists.";
    return new ConnectorFailure("SOURCE_ERROR", message?.slice(0, MAX_TEXT) ?? said);
  }
  if (message === undefined) return new ConnectorFailure("SOURCE_ERROR", "The statement failed.", engineCode(code));
  const reason = REASONS.get(code ?? "");
  if (reason !== undefined) {
    return new ConnectorFailure(reason, message.slice(0, MAX_TEXT), {
      ...engineCode(code),
      ...(reason === "OVERLOADED" && { retryAfter: RETRY_AFTER }),
    });
  }
  const sqlState = error.sqlState ?? /\bSQLSTATE: ([0-9A-Z]{5})\b/.exec(message)?.[1];
  const errorClass = /^\s*\[([A-Z][\w.]*)\]/.exec(message)?.[1] ?? sqlState ?? code;
  // Standard classes for syntax, names and unsupported features, which are found before anything runs.
  const isOfTheStatement = /^(?:42|0A)/.test(sqlState ?? "");
  return statementFailure({ message, isOfTheStatement, errorClass, sqlState, startIndex: undefined }, sql, before);
}

/** The failure for a refused request, from its response. */
export function refusal(status: number, json: object, host: string): ConnectorFailure {
  const { error_code: code, message } = json as { readonly error_code?: unknown; readonly message?: unknown };
  const said = isDatabricks(host) && typeof message === "string" ? `: ${message.slice(0, MAX_TEXT)}` : ".";
  const text = `${host} answered with HTTP status ${status}${said}`;
  const details = engineCode(typeof code === "string" ? code : undefined);
  if (status === 401 || status === 403) return new ConnectorFailure("AUTHENTICATION", text, details);
  return new ConnectorFailure("SOURCE_ERROR", text, details);
}

function engineCode(code: string | undefined): { readonly engineCode?: string } {
  return code !== undefined && /^[A-Z_]{1,64}$/.test(code) ? { engineCode: code } : {};
}
