/** What may be sent to Snowflake: queries, for it has no mode that only reads. */
import { ConnectorFailure } from "../failure.ts";
import { assertReads } from "../trino/queries.ts";

/**
 * `WITH p AS PROCEDURE () … CALL p()` runs whatever it likes (https://docs.snowflake.com/sql-reference/sql/call-with). Wherever the
 * words stand: a text that holds them is not worth telling apart.
 */
const ANONYMOUS_PROCEDURE = /\bAS(?:\s|\/\*[\s\S]*?\*\/|(?:--|\/\/)[^\n]*\n)+PROCEDURE\b/i;

/** Throws `SOURCE_INVALID_SQL`. */
export function assertQuery(sql: string): void {
  assertReads(sql);
  if (ANONYMOUS_PROCEDURE.test(sql)) {
    throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a query can be run, and no procedure.");
  }
}
