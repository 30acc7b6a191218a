/** Errors of Oracle's (ORA-) and of its driver's (NJS-), as the connectors' typed failures. */
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";

/** An error that the driver throws. */
interface DriverError {
  readonly message: string;
  /** `NJS-503`; of a server's error too, where the driver has taken it for the connection's end. */
  readonly code?: string;
  /** The server's code: 942 is ORA-00942. */
  readonly errorNum?: number;
  /** Offset in the statement; 0 if the server reports none. */
  readonly offset?: number;
}

/** Texts end up in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

const of = (reason: FailureReason, ...numbers: readonly number[]) => numbers.map((number) => [number, reason] as const);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, step) => first + step);

/** https://docs.oracle.com/error-help/db/ */
const REASONS: ReadonlyMap<number, FailureReason> = new Map([
  // Parse and name errors: 900 to 999, except errors at run time.
  ...of(
    "SOURCE_INVALID_SQL",
    ...range(900, 999),
    1424,
    1425,
    1428,
    1719,
    1730,
    1733,
    1740,
    1741,
    1742,
    1747,
    1756,
    1758,
  ),
  ...of("SOURCE_INVALID_SQL", 1788, 1789, 1790, 1791, 1792, 1797, 1799, 2000, 2019, 2287, 2289, 3048, 3049, 4044, 4043),
  ...of(
    "SOURCE_INVALID_SQL",
    6550,
    6552,
    6553,
    6575,
    22818,
    25154,
    25155,
    25156,
    30081,
    30087,
    30089,
    30175,
    30176,
    30482,
  ),
  ...of(
    "SOURCE_INVALID_SQL",
    30483,
    30484,
    30485,
    30486,
    30487,
    30488,
    30489,
    30928,
    31495,
    32031,
    32034,
    32035,
    32036,
  ),
  ...of(
    "SOURCE_INVALID_SQL",
    32038,
    32039,
    32040,
    32041,
    32042,
    32043,
    32044,
    32045,
    32046,
    32047,
    32048,
    38818,
    56901,
  ),
  ...of("AUTHENTICATION", 1005, 1017, 1045, 28000, 28001, 28002, 28003, 28009, 28030, 28040, 1918, 1920, 1988, 1031),
  // Sessions, processes and memory that others have; a database that starts, stops or moves.
  ...of(
    "OVERLOADED",
    18,
    20,
    1033,
    1034,
    1035,
    1090,
    2391,
    4030,
    4031,
    12516,
    12518,
    12519,
    12520,
    12526,
    12527,
    12528,
  ),
  ...of("OVERLOADED", 12529, 12530),
]);

/** Codes between 900 and 999 that are not about the SQL text: cursors, memory, expired rights, values, resources. */
const WHEN_RUN: ReadonlySet<number> = new Set([910, 951, 955, 988, 990, 991, 992, 993, 994, 1031]);

const HINTS: ReadonlyMap<number, string> = new Map([
  [942, "Check the name, its owner and its case, and that the user may read it."],
  [1017, "Check user and password of the connection."],
  [1031, "Grant the user what the statement reads."],
  [1045, "Grant CREATE SESSION to the user."],
  [1555, "The rows that were asked for have changed and the server does not keep them as they were: send it again."],
  [28000, "The account is locked: unlock it, or wait until the server does."],
  [28001, "Change the password of the user, which has expired."],
  [12505, "Check the SID; most databases are reached by a service name."],
  [12514, "Check the service name (database, or what stands behind / in dsn)."],
  [12541, "Check host and port, and that the listener runs."],
]);

/** By the driver's own codes, while a connection is opened. */
const OPENING: ReadonlyMap<string, readonly [FailureReason, string]> = new Map<
  string,
  readonly [FailureReason, string]
>([
  ["NJS-116", ["AUTHENTICATION", "Set the password anew, on a server that keeps verifiers of 11g or 12c."]],
  ["NJS-138", ["SOURCE_ERROR", "Use Oracle Database 19c or later."]],
  ["NJS-505", ["TLS_UNTRUSTED", "Give the sidecar the authority of the certificate (NODE_EXTRA_CA_CERTS)."]],
  ["NJS-506", ["TLS_UNTRUSTED", "Give the sidecar the authority of the certificate (NODE_EXTRA_CA_CERTS)."]],
  ["NJS-507", ["TLS_UNTRUSTED", "Check ssl_server_cert_dn."]],
  ["NJS-508", ["TLS_UNTRUSTED", "Give the name that the certificate is for as the host, or ssl_server_cert_dn."]],
  ["NJS-503", ["HOST_UNREACHABLE", "Check host and port, and that the server accepts connections from the sidecar."]],
  ["NJS-510", ["HOST_UNREACHABLE", "Check host and port, and that a firewall lets the connection through."]],
  ["NJS-511", ["HOST_UNREACHABLE", "Check host and port, and that the listener knows the database."]],
  ["NJS-518", ["AUTHENTICATION", "Check the service name (database, or what stands behind / in dsn)."]],
  ["NJS-519", ["AUTHENTICATION", "Check the SID; most databases are reached by a service name."]],
  ["NJS-530", ["HOST_UNREACHABLE", "Check the host."]],
  ["NJS-533", ["SOURCE_ERROR", "The server asks for its own encryption: let it take TLS (tcps) instead."]],
]);

/** The connection is over with it. */
const ENDINGS: ReadonlySet<string> = new Set(["NJS-500", "NJS-501", "NJS-521", "NJS-513", "NJS-003"]);

/** The failure of opening a connection. */
export function openingFailure(error: unknown): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const own = asDriverError(error);
  if (own?.errorNum !== undefined) {
    const reason = REASONS.get(own.errorNum) === "OVERLOADED" ? "OVERLOADED" : "AUTHENTICATION";
    return ofServer(own, own.errorNum, reason, undefined);
  }
  const [reason, hint] = OPENING.get(own?.code ?? "") ?? [];
  if (own === undefined || reason === undefined || hint === undefined) return notOracle(error);
  return new ConnectorFailure(reason, textOf(own), { hint, ...(own.code && { engineCode: own.code }), cause: error });
}

/** An error of a statement; `sql` is what was sent, for the position. */
export function statementFailure(error: unknown, sql: string | undefined): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const own = asDriverError(error);
  if (own === undefined) return notOracle(error);
  if (ENDINGS.has(own.code ?? "")) return closedEarly(own.errorNum === undefined ? undefined : textOf(own));
  if (own.errorNum === undefined) return ofDriver(own);
  return ofServer(own, own.errorNum, reasonOf(own.errorNum), sql === undefined ? undefined : positionOf(own, sql));
}

/** The server speaks another protocol, or violates Oracle's. */
export function notOracle(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server's answer is not Oracle's protocol.", {
    hint: "Check that host and port are those of a listener of Oracle Database.",
    ...(cause !== undefined && { cause }),
  });
}

export function closedEarly(text?: string): ConnectorFailure {
  const message = "The server closed the connection before the answer was complete.";
  return new ConnectorFailure("UPSTREAM_PROTOCOL", text === undefined ? message : `${message} ${text}`);
}

/** In the words that clients look for (docs/spec/contract.md#outcomes). */
export function ranOutOfTime(timeoutMs: number): ConnectorFailure {
  const message = `canceling statement due to statement timeout (it ran longer than ${timeoutMs} ms)`;
  return new ConnectorFailure("STATEMENT_TIMEOUT", message);
}

function reasonOf(number: number): FailureReason {
  if (WHEN_RUN.has(number)) return "SOURCE_ERROR";
  const known = REASONS.get(number);
  // While a statement runs, what a login is refused for is about something else: a link, a right.
  return known === undefined || known === "AUTHENTICATION" ? "SOURCE_ERROR" : known;
}

function ofServer(
  error: DriverError,
  number: number,
  reason: FailureReason,
  position: number | undefined,
): ConnectorFailure {
  const login = reason === "AUTHENTICATION" ? "Check user, password and service of the connection." : undefined;
  const hint = HINTS.get(number) ?? login;
  return new ConnectorFailure(reason, textOf(error), {
    engineCode: `ORA-${String(number).padStart(5, "0")}`,
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position }),
    ...(reason === "OVERLOADED" && { retryAfter: 10 }),
    cause: error,
  });
}

/** Errors of the driver itself: it cannot send a value, or cannot read one. */
function ofDriver(error: DriverError): ConnectorFailure {
  // Placeholders, and no values for them.
  if (error.code === "NJS-097" || error.code === "NJS-098") {
    return new ConnectorFailure(
      "SOURCE_INVALID_SQL",
      "The statement has placeholders (:name), which nobody gives values for.",
    );
  }
  return notOracle(error);
}

/** Servers count bytes or characters: both are equal if the text is ASCII. */
function positionOf({ offset }: DriverError, sql: string): number | undefined {
  if (!offset || offset >= sql.length) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return /^[\x00-\x7f]*$/.test(sql.slice(0, offset)) ? offset : undefined;
}

function asDriverError(error: unknown): DriverError | undefined {
  return error instanceof Error ? (error as DriverError) : undefined;
}

/** The message without the driver's additions: a help URL, a connection number. */
function textOf({ message }: DriverError): string {
  const text = message
    .replace(/\nHelp: https:\S*\s*$/, "")
    .replace(/ \(CONNECTION_ID=[^()]*\)/g, "")
    .trim();
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
