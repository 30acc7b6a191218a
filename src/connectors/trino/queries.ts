/** What may be sent to engines of Trino's family: queries, since they run whatever they are sent. */
import { ConnectorFailure } from "../failure.ts";

/**
 * They have no session that only reads without a transaction around it, which not every connector knows. What begins with
 * one of these words is a query: `WITH` stands behind `INSERT INTO`, not before it.
 */
const QUERY = /(?:SELECT|WITH|VALUES|TABLE)\b/iy;
const BLANK_OR_PARENTHESIS = /[\s(]*/y;

/** Throws `SOURCE_INVALID_SQL`. */
export function assertReads(sql: string): void {
  QUERY.lastIndex = firstWord(sql);
  if (QUERY.test(sql)) return;
  throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a query can be run: SELECT, WITH, VALUES or TABLE.");
}

/** Behind blanks, comments and parentheses. */
function firstWord(sql: string): number {
  for (let at = 0; ; ) {
    BLANK_OR_PARENTHESIS.lastIndex = at;
    at += BLANK_OR_PARENTHESIS.exec(sql)?.[0].length ?? 0;
    const close = sql.startsWith("--", at) ? "\n" : sql.startsWith("/*", at) ? "*/" : undefined;
    if (close === undefined) return at;
    const end = sql.indexOf(close, at + 2);
    if (end < 0) return sql.length;
    at = end + close.length;
  }
}
