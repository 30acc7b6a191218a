/** Converts ClickHouse's exceptions to the connectors' typed failures (`ErrorCodes.cpp` for the names). */
import { ConnectorFailure, type FailureReason } from "../failure.ts";

/** Limit for texts that appear in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  ["TIMEOUT_EXCEEDED", "STATEMENT_TIMEOUT"],
  ["TOO_SLOW", "STATEMENT_TIMEOUT"],
  ["AUTHENTICATION_FAILED", "AUTHENTICATION"],
  ["REQUIRED_PASSWORD", "AUTHENTICATION"],
  ["WRONG_PASSWORD", "AUTHENTICATION"],
  ["UNKNOWN_USER", "AUTHENTICATION"],
  ["IP_ADDRESS_NOT_ALLOWED", "AUTHENTICATION"],
  ["TOO_MANY_SIMULTANEOUS_QUERIES", "OVERLOADED"],
  ...names(
    `SYNTAX_ERROR UNKNOWN_IDENTIFIER UNKNOWN_TABLE UNKNOWN_DATABASE UNKNOWN_FUNCTION UNKNOWN_AGGREGATE_FUNCTION UNKNOWN_TYPE
     NO_SUCH_COLUMN_IN_TABLE THERE_IS_NO_COLUMN NOT_FOUND_COLUMN_IN_BLOCK NUMBER_OF_ARGUMENTS_DOESNT_MATCH ILLEGAL_AGGREGATION
     ILLEGAL_TYPE_OF_ARGUMENT ILLEGAL_COLUMN TOO_FEW_ARGUMENTS_FOR_FUNCTION TOO_MANY_ARGUMENTS_FOR_FUNCTION TYPE_MISMATCH
     EMPTY_LIST_OF_COLUMNS_QUERIED INCORRECT_QUERY AMBIGUOUS_IDENTIFIER AMBIGUOUS_COLUMN_NAME NOT_AN_AGGREGATE NO_COMMON_TYPE
     ALIAS_REQUIRED MULTIPLE_EXPRESSIONS_FOR_ALIAS INVALID_JOIN_ON_EXPRESSION UNKNOWN_SETTING NOT_IMPLEMENTED
     UNION_ALL_RESULT_STRUCTURES_MISMATCH UNSUPPORTED_METHOD UNEXPECTED_AST_STRUCTURE`,
    "SOURCE_INVALID_SQL",
  ),
]);

function names(words: string, reason: FailureReason): [string, FailureReason][] {
  return words.split(/\s+/).map((name) => [name, reason]);
}

export interface ClickHouseException {
  readonly name: string;
  /** The error's number, if an older server reports no name. */
  readonly code: string;
  readonly message: string;
}

/** `Code: 60. DB::Exception: message. (UNKNOWN_TABLE) (version 26.7.2.1 (official build))`, or undefined for another text. */
export function parseException(text: string): ClickHouseException | undefined {
  const [, code, rest = ""] = /^\s*Code: (\d+)\. DB::Exception: ([\s\S]*)$/.exec(text) ?? [];
  if (code === undefined) return undefined;
  const message = withoutVersion(rest).trim();
  const [, name = ""] = /\(([A-Z][A-Z0-9_]+)\)$/.exec(message) ?? [];
  return { name, code, message };
}

/** The text before `(version 26.7.2.1 (official build))` at its end, or the whole text without a version. */
function withoutVersion(text: string): string {
  const trimmed = text.trimEnd();
  const version = versionIn(trimmed);
  return version < 0 ? trimmed : trimmed.slice(0, version);
}

/** The start of the version at the end of a text; -1 without one. */
function versionIn(text: string): number {
  return text.endsWith(")") ? text.indexOf("(version ", text.lastIndexOf("\n") + 1) : -1;
}

/** The exception at the end of a broken answer, after bytes of rows; undefined without a complete one. */
export function exceptionWithin(tail: string): string | undefined {
  const begun = tail.search(/Code: \d+\. DB::Exception: /);
  if (begun < 0) return undefined;
  const text = tail.slice(begun);
  return versionIn(text.trimEnd()) < 0 ? undefined : text;
}

/** The sent text, for positions. */
export interface SentText {
  readonly sql: string;
  /** Number of characters that the server counts before the statement; negative if a part of the statement was omitted. */
  readonly before: number;
}

/** A profile with `readonly` 1 accepts no settings; with 2 it accepts all except `readonly`. */
export function isSettingRefused({ name, message }: Pick<ClickHouseException, "name" | "message">): boolean {
  return name === "READONLY" && message.includes("Cannot modify ");
}

export function clickHouseFailure(
  { name, code, message }: ClickHouseException,
  sent: SentText,
  database: string,
): ConnectorFailure {
  // ClickHouse looks up the connection's database before it parses the statement.
  const isLogin = name === "UNKNOWN_DATABASE" && message.includes(` ${database} does not exist`);
  const reason = isLogin ? "AUTHENTICATION" : (REASONS.get(name) ?? "SOURCE_ERROR");
  const position = positionOf(message, sent);
  return new ConnectorFailure(reason, message.length <= MAX_TEXT ? message : `${message.slice(0, MAX_TEXT)}…`, {
    engineCode: code,
    ...(position !== undefined && { position }),
    ...(reason === "OVERLOADED" && { retryAfter: 5 }),
    ...(isSettingRefused({ name, message }) && {
      hint: "The user's profile has readonly=1, which refuses the settings that the meaning of statements needs: set it to 2.",
    }),
  });
}

/** Only the parser reports positions, in bytes from 1; later errors name the expression. */
function positionOf(message: string, { sql, before }: SentText): number | undefined {
  const [, digits] = /^Syntax error[^:]*: failed at position (\d+) /.exec(message) ?? [];
  if (digits === undefined) return undefined;
  let bytes = Number(digits) - 1 - before;
  let offset = 0;
  while (bytes > 0 && offset < sql.length) {
    const point = sql.codePointAt(offset) as number;
    bytes -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    offset += point < 0x10000 ? 1 : 2;
  }
  return bytes === 0 ? offset : undefined;
}
