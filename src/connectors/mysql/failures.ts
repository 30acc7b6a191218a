/** Converts errors of a MySQL or MariaDB server, by number and SQLSTATE, to the connectors' typed failures. */
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { onlyWordIn } from "../only-word.ts";

/** The contents of an ERR packet. */
export interface ServerError {
  readonly number: number;
  /** Empty before the session begins. */
  readonly state: string;
  readonly message: string;
}

/** Limit for texts that appear in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

/**
 * Numbers whose SQLSTATE is missing or misleading. From MySQL's reference of server errors, and MariaDB's list of error codes.
 */
const REASONS: ReadonlyMap<number, FailureReason> = new Map<number, FailureReason>([
  // Too many connections: in total, of a user, or of a user in an hour.
  [1040, "OVERLOADED"],
  [1203, "OVERLOADED"],
  [1226, "OVERLOADED"],
  // Permissions: they have class 42 and are not errors of the SQL.
  [1044, "SOURCE_ERROR"],
  [1142, "SOURCE_ERROR"],
  [1143, "SOURCE_ERROR"],
  [1227, "SOURCE_ERROR"],
  [1370, "SOURCE_ERROR"],
  // A packet larger than the server accepts.
  [1153, "SOURCE_ERROR"],
  // max_execution_time of MySQL, max_statement_time of MariaDB.
  [3024, "STATEMENT_TIMEOUT"],
  [1969, "STATEMENT_TIMEOUT"],
  // The password has expired: the session accepts only the statement that changes it.
  [1820, "AUTHENTICATION"],
  [1862, "AUTHENTICATION"],
  // The server shuts down, the connection was killed, or it was idle for too long.
  [1053, "UPSTREAM_PROTOCOL"],
  [1927, "UPSTREAM_PROTOCOL"],
  [4031, "UPSTREAM_PROTOCOL"],
]);

const SECURE_TRANSPORT_REQUIRED = 3159;

/**
 * The error that a plan raises for a value that cannot be converted: MySQL has no function that raises
 * (`planner/dialects/mysql/raising.ts`). MySQL and MariaDB print the expression differently.
 */
const OUT_OF_RANGE = 1690;
const RAISED = /exp\(\(?1000 \+ (?:octet_)?length\(/;
const RAISED_MESSAGE =
  "A value cannot be read as the type or the argument that the query makes of it, or does not fit it.";

const HINTS: ReadonlyMap<number, string> = new Map([
  [1040, "Try again later, or raise max_connections of the server."],
  [1203, "Try again later, or raise max_user_connections of the user."],
  [1129, "The server has blocked this address after failed attempts: FLUSH HOSTS there."],
  [1130, "Let the user connect from the address that the server names."],
  [1153, "Raise max_allowed_packet of the server, or write a shorter statement."],
  [1820, "Change the user's password, which has expired."],
  [1862, "Change the user's password, which has expired."],
  [1792, "Only statements that read are run."],
  [SECURE_TRANSPORT_REQUIRED, "The server takes connections over TLS only: set sslMode to VERIFY_IDENTITY."],
]);

/** An error of a statement; `sql` is the sent text, for the position. */
export function statementFailure(error: ServerError, sql: string | undefined): ConnectorFailure {
  const position = sql === undefined ? undefined : positionOf(error, sql);
  return failure(error, reasonOf(error), position);
}

/** An error before the first statement means, with any code, that the connection failed. */
export function startupFailure(error: ServerError): ConnectorFailure {
  const reason = error.number === 1053 ? "OVERLOADED" : reasonOf(error);
  if (reason === "OVERLOADED") return failure(error, reason, undefined);
  return failure(error, error.number === SECURE_TRANSPORT_REQUIRED ? "TLS_UNTRUSTED" : "AUTHENTICATION", undefined);
}

/** The server speaks another protocol, or violates this one. */
export function notMySql(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server's answer is not the MySQL protocol.", {
    hint: "Check that host and port are those of a MySQL or MariaDB server.",
    cause,
  });
}

export function closedEarly(): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server closed the connection before the answer was complete.");
}

/** The server exceeded a statement's time limit; the message has the text that clients match (docs/spec/contract.md#outcomes). */
export function silentPastTimeout(): ConnectorFailure {
  const message = "canceling statement due to statement timeout (the server did not answer in time)";
  return new ConnectorFailure("STATEMENT_TIMEOUT", message);
}

function failure(error: ServerError, reason: FailureReason, position: number | undefined): ConnectorFailure {
  const hint =
    HINTS.get(error.number) ??
    (reason === "AUTHENTICATION" ? "Check user, password and database of the connection." : undefined);
  const raised = error.number === OUT_OF_RANGE && RAISED.test(error.message);
  return new ConnectorFailure(reason, raised ? RAISED_MESSAGE : shorten(error.message), {
    engineCode: String(error.number),
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position }),
    ...(reason === "OVERLOADED" && { retryAfter: 5 }),
    cause: error,
  });
}

function reasonOf({ number, state }: ServerError): FailureReason {
  const known = REASONS.get(number);
  if (known !== undefined) return known;
  switch (state.slice(0, 2)) {
    case "28":
      return "AUTHENTICATION";
    case "42":
      return "SOURCE_INVALID_SQL";
    case "08":
      return "UPSTREAM_PROTOCOL";
  }
  return "SOURCE_ERROR";
}

const SYNTAX_ERROR = 1064;
/** `near '…' at line 2` ends the message; the quoted part of the statement may contain any characters. */
const BEFORE_NEAR = " near '";
const AT_LINE = /' at line (\d+)$/;
/** Unknown column, ambiguous column, unknown table, unknown function: messages that begin with the name. */
const NAMED: ReadonlySet<number> = new Set([1052, 1054, 1146, 1305]);

/**
 * The server gives no offset: the text that it quotes is searched in the statement, and its position returned if it occurs once.
 */
function positionOf({ number, message }: ServerError, sql: string): number | undefined {
  if (number === SYNTAX_ERROR) {
    const near = message.indexOf(BEFORE_NEAR);
    const line = AT_LINE.exec(message);
    if (near < 0 || line === null || line.index <= near + BEFORE_NEAR.length) return undefined;
    const from = startOfLine(sql, Number(line[1]));
    return from === undefined ? undefined : onlyIn(sql, message.slice(near + BEFORE_NEAR.length, line.index), from);
  }
  if (!NAMED.has(number)) return undefined;
  const name = /'([^']+)'/.exec(message)?.[1]?.split(".").at(-1);
  return name === undefined ? undefined : onlyWordIn(sql, name);
}

function startOfLine(sql: string, line: number): number | undefined {
  let at = 0;
  for (let left = line - 1; left > 0; left--) {
    const end = sql.indexOf("\n", at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  return at;
}

function onlyIn(sql: string, text: string, from: number): number | undefined {
  const first = sql.indexOf(text, from);
  return first < 0 || sql.includes(text, first + 1) ? undefined : first;
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
