/** Converts errors of Spark's engine, on any platform, to the connectors' typed failures. */
import { ConnectorFailure, type FailureReason } from "../failure.ts";

/** Limit for texts that appear in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;
/** Limit for a message, which also contains the statement and a Java stack. */
const MAX_MESSAGE = 4 * 1024 * 1024;

export interface EngineError {
  readonly message: string;
  /** Found before anything runs: syntax, names, types. */
  readonly isOfTheStatement: boolean;
  /** `TABLE_OR_VIEW_NOT_FOUND` (https://spark.apache.org/docs/4.0.1/sql-error-conditions.html). */
  readonly errorClass: string | undefined;
  readonly sqlState: string | undefined;
  /** 0-based, in characters of the sent text. */
  readonly startIndex: number | undefined;
}

/** A permission error, which is found together with the names. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** `sql` was sent after `before` characters of the connector, on the same line. */
export function statementFailure(error: EngineError, sql: string, before: number): ConnectorFailure {
  const { message, isOfTheStatement, errorClass, sqlState, startIndex } = error;
  const reason: FailureReason =
    isOfTheStatement && sqlState !== INSUFFICIENT_PRIVILEGE ? "SOURCE_INVALID_SQL" : "SOURCE_ERROR";
  const text = said(message);
  // Spark 3.5 writes the class only before the message.
  const engineCode = errorClass ?? sqlState ?? /^\[([A-Z][\w.]*)\]/.exec(text)?.[1];
  const position = offsetOf(startIndex ?? indexOfLine(message, sql, before), sql, before);
  return new ConnectorFailure(reason, text, {
    ...(engineCode !== undefined && { engineCode }),
    ...(position !== undefined && { position }),
  });
}

/** The message without the rewritten statement, the position, the task (3.5), and the Java stack. */
function said(message: string): string {
  const text = message
    .slice(0, MAX_MESSAGE)
    .trim()
    .replace(/\n[^\S\n]*at [\s\S]*/, "")
    .replace(/^Job aborted due to stage failure: .*?\): (?:[\w$]+\.)+[\w$]+: /, "")
    .replace(/\n== SQL\b[\s\S]*/, "")
    .trimEnd()
    .replace(/;? ?\(?\bline \d+,? pos \d+\)?(?:;[\s\S]*|$)/, "");
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

/**
 * `line 1, pos 27`, lines from 1 and characters from 0: the position of a syntax error, which has no index. Or `== SQL (line 1,
 * position 28) ==`, both from 1, after a run-time error; within a view it refers to the view's text.
 */
function indexOfLine(message: string, sql: string, before: number): number | undefined {
  const [, line, pos, ran, position] =
    /\bline (\d+),? pos (\d+)\b|^== SQL \(line (\d+), position (\d+)\) ==$/m.exec(message) ?? [];
  if (ran !== undefined) return indexAt(Number(ran), Number(position) - 1, sql, before);
  return line === undefined ? undefined : indexAt(Number(line), Number(pos), sql, before);
}

function indexAt(line: number, pos: number, sql: string, before: number): number {
  const lines = sql.split("\n").slice(0, line - 1);
  return lines.reduce((sum, text) => sum + [...text].length + 1, lines.length > 0 ? before : 0) + pos;
}

/** Converts characters to UTF-16 code units; undefined outside the statement. */
function offsetOf(index: number | undefined, sql: string, before: number): number | undefined {
  let offset = 0;
  for (let characters = (index ?? -1) - before; characters !== 0; characters--) {
    if (characters < 0 || offset >= sql.length) return undefined;
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
