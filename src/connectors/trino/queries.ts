/** Checks that statements for engines of Trino's family are queries, because these engines run any statement. */
import { ConnectorFailure } from "../failure.ts";

/**
 * The engines have a read-only session only within a transaction, which not every Trino connector supports. A statement that
 * begins with one of these keywords is a query: in Trino, `WITH` follows `INSERT INTO` and never precedes it.
 */
const QUERY = /(?:SELECT|WITH|VALUES|TABLE)\b/iy;
const BLANK_OR_PARENTHESIS = /[\s(]*/y;

/** Throws `SOURCE_INVALID_SQL`. */
export function assertReads(sql: string): void {
  QUERY.lastIndex = firstWord(sql);
  if (QUERY.test(sql)) return;
  throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a query can be run: SELECT, WITH, VALUES or TABLE.");
}

/** The offset after blanks, comments and parentheses. */
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
