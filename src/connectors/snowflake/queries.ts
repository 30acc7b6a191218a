/** Checks that a statement is a query: Snowflake has no read-only mode. */
import { ConnectorFailure } from "../failure.ts";
import { assertReads } from "../trino/queries.ts";

const PROCEDURE = /PROCEDURE\b/gi;

/** Throws `SOURCE_INVALID_SQL`. */
export function assertQuery(sql: string): void {
  assertReads(sql);
  for (const { index } of sql.matchAll(PROCEDURE)) {
    if (isDeclaration(sql, index)) {
      throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a query can be run, and no procedure.");
    }
  }
}

/**
 * `WITH p AS PROCEDURE () … CALL p()` runs arbitrary code (https://docs.snowflake.com/sql-reference/sql/call-with). The keyword
 * is refused after AS, and also after any comment, because a comment may separate the two: a text that contains both is refused
 * too.
 */
function isDeclaration(sql: string, at: number): boolean {
  let end = at;
  while (end > 0 && /\s/.test(sql.charAt(end - 1))) end--;
  if (sql.endsWith("*/", end)) return true;
  if (end === at) return false;
  if (/(?:^|\W)AS$/i.test(sql.slice(Math.max(0, end - 3), end))) return true;
  if (!sql.slice(end, at).includes("\n")) return false;
  const line = sql.slice(sql.lastIndexOf("\n", end - 1) + 1, end);
  return line.includes("--") || line.includes("//");
}
