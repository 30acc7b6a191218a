/** Errors of SQL Server, by number and class, as the connectors' typed failures. */

import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import { onlyWordIn } from "../../src/connectors/only-word.ts";

/** Content of an ERROR token. */
export interface ServerError {
  readonly number: number;
  readonly state: number;
  /** Its severity: up to 10 it informs, from 20 on the connection is over. */
  readonly level: number;
  readonly message: string;
  /** Line in the batch, from 1. */
  readonly line: number;
}

/** Texts end up in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

const of = (reason: FailureReason, ...numbers: readonly number[]) => numbers.map((number) => [number, reason] as const);

/**
 * Error numbers with a more specific meaning than their class. The lists are of
 * https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors and of
 * https://learn.microsoft.com/en-us/azure/azure-sql/database/troubleshoot-common-errors-issues
 */
const REASONS: ReadonlyMap<number, FailureReason> = new Map([
  // Syntax, names, types and groups that the statement has wrong: class 15 and those of 16 that compiling finds.
  ...of("SOURCE_INVALID_SQL", 102, 103, 104, 105, 107, 108, 109, 110, 111, 113, 116, 119, 121, 125, 127, 128, 130, 137),
  ...of("SOURCE_INVALID_SQL", 139, 141, 144, 145, 147, 148, 153, 155, 156, 157, 158, 159, 164, 169, 170, 174, 178, 179),
  ...of("SOURCE_INVALID_SQL", 180, 189, 195, 205, 206, 207, 208, 209, 213, 214, 243, 252, 306, 308, 315, 319, 402, 403),
  ...of("SOURCE_INVALID_SQL", 404, 411, 421, 446, 447, 448, 449, 451, 456, 457, 460, 467, 468, 487, 488, 489, 529),
  ...of("SOURCE_INVALID_SQL", 1011, 1012, 1013, 1023, 1033, 1035, 1038, 1045, 1062, 4101, 4104, 4108, 4109, 4112, 4113),
  ...of("SOURCE_INVALID_SQL", 4121, 4127, 4145, 5308, 5309, 8114, 8116, 8117, 8120, 8121, 8124, 8127, 8133, 8144, 8155),
  ...of("SOURCE_INVALID_SQL", 8156, 8157, 8158, 8159, 8163, 10700, 10702, 10751, 10752, 10753, 10754, 11501, 11502),
  ...of(
    "SOURCE_INVALID_SQL",
    11503,
    11504,
    11505,
    11506,
    11507,
    11508,
    11509,
    11510,
    11511,
    11512,
    11513,
    11514,
    11515,
  ),
  // Memory, workers and sessions that others have, and databases of Azure that are paused, moved or throttled.
  ...of("OVERLOADED", 701, 802, 1105, 8645, 8651, 10928, 10929, 10936, 17830, 17809, 40197, 40501, 40613, 42108, 42109),
  ...of("OVERLOADED", 49918, 49919, 49920, 6005, 17142, 18401),
  // The password, the user, the database.
  ...of(
    "AUTHENTICATION",
    4060,
    4064,
    18450,
    18451,
    18452,
    18456,
    18461,
    18463,
    18464,
    18465,
    18466,
    18467,
    18468,
    18470,
  ),
  ...of("AUTHENTICATION", 18486, 18487, 18488, 40532, 40607, 40614, 40615, 40914, 916),
  // An administrator ended the session (KILL).
  ...of("UPSTREAM_PROTOCOL", 596, 6104, 10053, 10054),
]);

const AGAIN = "Another statement stood in its way: send it again.";

const HINTS: ReadonlyMap<number, string> = new Map([
  [1205, AGAIN],
  [3960, AGAIN],
  [4060, "Check the database of the connection, and that the login has a user in it."],
  [229, "Grant SELECT on what the statement reads to the user."],
  [916, "Give the login a user in the database of the connection."],
  [
    18456,
    "Check user and password of the connection. Logins of SQL Server are meant; those of Windows and Entra are not.",
  ],
  [18452, "The server takes logins of Windows only: let it take those of SQL Server as well (mixed mode)."],
  [18487, "Change the password of the login, which has expired."],
  [18488, "Change the password of the login, which must be changed."],
  [40613, "A database that was paused takes about a minute to resume: try again later."],
  [40615, "Let the address that the server names through its firewall."],
  [40914, "Let the network that the server names through its firewall."],
]);

/** The server ends the connection with it. */
const FATAL_LEVEL = 20;
const SYNTAX_LEVEL = 15;

/** An error of a statement; `sql` is what was sent, for the position. */
export function statementFailure(error: ServerError, sql: string | undefined): ConnectorFailure {
  return failure(error, reasonOf(error), sql === undefined ? undefined : positionOf(error, sql));
}

/** An error before the session begins: whatever the server reports, there is no session. */
export function loginFailure(error: ServerError): ConnectorFailure {
  const reason = REASONS.get(error.number) === "OVERLOADED" ? "OVERLOADED" : "AUTHENTICATION";
  return failure(error, reason, undefined);
}

/** The server speaks another protocol, or violates TDS. */
export function notTds(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server's answer is not SQL Server's protocol.", {
    hint: "Check that host and port are those of a SQL Server.",
    cause,
  });
}

export function closedEarly(): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server closed the connection before the answer was complete.");
}

/** In the words that clients look for (docs/spec/contract.md#outcomes): the server itself keeps no time. */
export function ranOutOfTime(timeoutMs: number): ConnectorFailure {
  const message = `canceling statement due to statement timeout (it ran longer than ${timeoutMs} ms)`;
  return new ConnectorFailure("STATEMENT_TIMEOUT", message);
}

function failure(error: ServerError, reason: FailureReason, position: number | undefined): ConnectorFailure {
  const hint =
    HINTS.get(error.number) ??
    (reason === "AUTHENTICATION" ? "Check user, password and database of the connection." : undefined);
  return new ConnectorFailure(reason, shorten(error.message), {
    engineCode: String(error.number),
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position }),
    ...(reason === "OVERLOADED" && { retryAfter: 10 }),
    cause: error,
  });
}

function reasonOf({ number, level }: ServerError): FailureReason {
  const known = REASONS.get(number);
  if (known !== undefined) return known;
  if (level >= FATAL_LEVEL) return "UPSTREAM_PROTOCOL";
  return level === SYNTAX_LEVEL ? "SOURCE_INVALID_SQL" : "SOURCE_ERROR";
}

/** Errors whose text quotes the part of the statement that they are about. */
const NAMING: ReadonlySet<number> = new Set([102, 156, 195, 207, 208, 209, 319, 4104, 4121, 8120, 8121]);
const NAMED = /'((?:[^']|'')+)'|"([^"]+)"|\bnear the keyword (\w+)/;

/** The server reports a line: the quoted text is searched in it, and its position is used if it occurs once. */
function positionOf({ number, message, line }: ServerError, sql: string): number | undefined {
  if (!NAMING.has(number)) return undefined;
  const [, quoted, doubled, keyword] = NAMED.exec(message) ?? [];
  const name = (quoted ?? doubled ?? keyword)?.split(".").at(-1);
  const from = startOfLine(sql, line);
  if (name === undefined || from === undefined) return undefined;
  const end = sql.indexOf("\n", from);
  const text = sql.slice(from, end < 0 ? undefined : end);
  const at = onlyWordIn(text, name);
  return at === undefined ? undefined : from + at;
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

function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
