/** Converts Snowflake's errors to the connectors' typed failures (Snowflake's codes, and standard SQLSTATEs). */
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { type ApiError, MAX_TEXT } from "./answers.ts";

const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  // Time-outs of a statement, and of a warehouse.
  ["000630", "STATEMENT_TIMEOUT"],
  // A full queue, and a queue with too long a wait.
  ["000625", "OVERLOADED"],
  ["000626", "OVERLOADED"],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ["000606", "Give warehouse, or give the user a default one."],
  ["390201", "Check database, schema, warehouse and role."],
  ["390144", "Check account and user, and that the user has the public half of this key; and that clocks are right."],
]);

const PRIVILEGES = "42501";

/** `sql` was sent after `before` lines of the connector. */
export function snowflakeFailure({ code, sqlState, message }: ApiError, sql: string, before: number): ConnectorFailure {
  const hint = HINTS.get(code ?? "");
  const position = positionIn(message, sql, before);
  const reason = reasonOf({ code, sqlState, message });
  return new ConnectorFailure(reason, message.length <= MAX_TEXT ? message : `${message.slice(0, MAX_TEXT)}…`, {
    ...(code !== undefined && { engineCode: code }),
    ...(position !== undefined && { position }),
    ...(hint !== undefined && { hint }),
    ...(reason === "OVERLOADED" && { retryAfter: 5 }),
  });
}

function reasonOf({ code = "", sqlState = "", message }: ApiError): FailureReason {
  const known = REASONS.get(code);
  if (known !== undefined) return known;
  // 390…: errors of logins and tokens.
  if (/^390\d{3}$/.test(code)) return "AUTHENTICATION";
  if (sqlState === PRIVILEGES) return "SOURCE_ERROR";
  return message.startsWith("SQL compilation error") || /^(?:42|0A)/.test(sqlState)
    ? "SOURCE_INVALID_SQL"
    : "SOURCE_ERROR";
}

/**
 * `error line 1 at position 7`: lines from 1, characters from 0. Returns a 0-based UTF-16 offset; undefined outside the
 * statement.
 */
function positionIn(message: string, sql: string, before: number): number | undefined {
  const [, line, character] = /\berror line (\d+) at position (-?\d+)\b/.exec(message) ?? [];
  if (line === undefined) return undefined;
  let offset = 0;
  for (let left = Number(line) - before; left !== 1; left--) {
    const end = left < 1 ? -1 : sql.indexOf("\n", offset);
    if (end < 0) return undefined;
    offset = end + 1;
  }
  for (let left = Number(character); left !== 0; left--) {
    if (left < 0 || offset >= sql.length) return undefined;
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
