/** Converts errors of a PostgreSQL server, by SQLSTATE, to the connectors' typed failures. */
import { ConnectorFailure, type FailureReason } from "../failure.ts";

/** The contents of an ErrorResponse, as the drivers for sockets and for HTTP both return it. */
export interface ServerError {
  readonly message: string;
  /** SQLSTATE. */
  readonly code: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  /** 1-based, in characters of the statement. */
  readonly position?: string | undefined;
}

/** Limit for texts that appear in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

/** An error of a statement; `sql` is the sent text, for the position. */
export function statementFailure(error: ServerError, sql: string | undefined): ConnectorFailure {
  const position = sql === undefined ? undefined : offsetOf(error.position, sql);
  return failure(error, reasonOf(error), position);
}

/** An error before the first statement means, with any code, that the connection failed. */
export function startupFailure(error: ServerError): ConnectorFailure {
  const reason = reasonOf(error);
  return failure(error, reason === "OVERLOADED" ? reason : "AUTHENTICATION", undefined);
}

/**
 * The server exceeded a statement's time limit. The message begins with the server's own text, which clients match (
 * docs/spec/contract.md#outcomes).
 */
export function silentPastTimeout(): ConnectorFailure {
  const message = "canceling statement due to statement timeout (the server did not answer in time)";
  return new ConnectorFailure("STATEMENT_TIMEOUT", message);
}

/** The server speaks another protocol, or violates this one. */
export function notPostgres(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server's answer is not the PostgreSQL protocol.", {
    hint: "Check that host and port are those of a PostgreSQL server.",
    cause,
  });
}

function failure(error: ServerError, reason: FailureReason, position: number | undefined): ConnectorFailure {
  const detail = error.detail ? `\n${shorten(error.detail)}` : "";
  const hint = error.hint ? shorten(error.hint) : error.code === CANNOT_CONNECT_NOW ? RESTARTING : HINTS[reason];
  return new ConnectorFailure(reason, `${shorten(error.message)}${detail}`, {
    engineCode: error.code,
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position }),
    ...(reason === "OVERLOADED" && { retryAfter: 5 }),
    cause: error,
  });
}

const HINTS: Partial<Record<FailureReason, string>> = {
  AUTHENTICATION: "Check user, password and database of the connection.",
  OVERLOADED: "Try again later, or raise the server's connection limit.",
};

/** The server is starting up, shutting down, or recovering. */
const CANNOT_CONNECT_NOW = "57P03";
const RESTARTING = "The server starts or stops: try again in a moment.";

function reasonOf({ code, message }: ServerError): FailureReason {
  switch (code) {
    // query_canceled: the connector's time-out, in the server's language, or a cancel request of another client
    case "57014":
      return message.includes("user request") ? "SOURCE_ERROR" : "STATEMENT_TIMEOUT";
    // idle_in_transaction_session_timeout, transaction_timeout
    case "25P03":
    case "25P04":
      return "STATEMENT_TIMEOUT";
    // invalid_catalog_name: the database does not exist
    case "3D000":
      return "AUTHENTICATION";
    // too_many_connections, configuration_limit_exceeded
    case "53300":
    case "53400":
    case CANNOT_CONNECT_NOW:
      return "OVERLOADED";
    // admin_shutdown, crash_shutdown, database_dropped, idle_session_timeout: the connection is gone
    case "57P01":
    case "57P02":
    case "57P04":
    case "57P05":
      return "UPSTREAM_PROTOCOL";
    // insufficient_privilege has class 42 and is not an error of the SQL
    case "42501":
      return "SOURCE_ERROR";
  }
  switch (code.slice(0, 2)) {
    case "28":
      return "AUTHENTICATION";
    case "42":
    // invalid_schema_name
    case "3F":
      return "SOURCE_INVALID_SQL";
    case "08":
      return "UPSTREAM_PROTOCOL";
  }
  return "SOURCE_ERROR";
}

/** Converts 1-based characters to a 0-based UTF-16 offset; `undefined` outside the statement. */
function offsetOf(position: string | undefined, sql: string): number | undefined {
  if (position === undefined || !/^[1-9]\d{0,8}$/.test(position)) return undefined;
  let offset = 0;
  for (let characters = Number(position) - 1; characters > 0; characters--) {
    if (offset >= sql.length) return undefined;
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset <= sql.length ? offset : undefined;
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
