/**
 * Checks that a statement is one query. BigQuery would also run scripts, and has no read-only session.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical
 */
import { ConnectorFailure } from "../failure.ts";

/** In BigQuery, `WITH` follows `INSERT INTO` and never precedes it. */
const QUERY = /(?:SELECT|WITH)\b/iy;
const BLANK_OR_PARENTHESIS = /[\s(]*/y;
const SPECIAL = /['"`#;/-]/g;
const LINE_END = /[\r\n]/g;

/** Throws `SOURCE_INVALID_SQL`. */
export function assertReads(sql: string): void {
  QUERY.lastIndex = firstWord(sql);
  if (!QUERY.test(sql)) throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a query can be run: SELECT or WITH.");
  for (let at = next(SPECIAL, sql, 0); at < sql.length; at = next(SPECIAL, sql, endOfToken(sql, at))) {
    if (sql[at] === ";") {
      throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only one statement can be run, without a semicolon.");
    }
  }
}

/** The offset after blanks, comments and parentheses. */
function firstWord(sql: string): number {
  for (let at = 0; ; ) {
    BLANK_OR_PARENTHESIS.lastIndex = at;
    at += BLANK_OR_PARENTHESIS.exec(sql)?.[0].length ?? 0;
    const end = endOfComment(sql, at);
    if (end === undefined) return at;
    at = end;
  }
}

/** The offset after the comment, text or quoted name that begins at `at`, or after the character. */
function endOfToken(sql: string, at: number): number {
  const comment = endOfComment(sql, at);
  if (comment !== undefined) return comment;
  const quote = sql.charAt(at);
  if (!"'\"`".includes(quote)) return at + 1;
  const triple = quote.repeat(3);
  return quote !== "`" && sql.startsWith(triple, at) ? endOfText(sql, at + 3, triple) : endOfText(sql, at + 1, quote);
}

/** Undefined if no comment begins at `at`. */
function endOfComment(sql: string, at: number): number | undefined {
  if (sql.startsWith("#", at) || sql.startsWith("--", at)) return next(LINE_END, sql, at);
  if (!sql.startsWith("/*", at)) return undefined;
  const end = sql.indexOf("*/", at + 2);
  return end < 0 ? sql.length : end + 2;
}

/** A backslash escapes the next character, also in raw texts. A single-line text ends at the line end: it is an error. */
function endOfText(sql: string, from: number, close: string): number {
  for (let at = from; at < sql.length; at++) {
    if (sql[at] === "\\") at++;
    else if (sql.startsWith(close, at)) return at + close.length;
    else if (close.length === 1 && (sql[at] === "\n" || sql[at] === "\r")) return at;
  }
  return sql.length;
}

/** The offset of the next match; the end of the text if there is none. */
function next(pattern: RegExp, sql: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(sql)?.index ?? sql.length;
}
