/** Checks SQL before it is sent to a server. */
import { ConnectorFailure } from "./failure.ts";

/** The statement, if it can be sent unchanged. Throws `SOURCE_INVALID_SQL`. */
export function sendableSql(sql: string): string {
  // A NUL ends a text in PostgreSQL's messages, and the rest of the statement would be read as the rest of the message; on other
  // servers it ends the text for the lexer.
  if (sql.includes("\0")) throw new ConnectorFailure("SOURCE_INVALID_SQL", "The statement contains a NUL character.");
  // A lone surrogate has no UTF-8 form; encoders replace it silently.
  if (!sql.isWellFormed()) throw new ConnectorFailure("SOURCE_INVALID_SQL", "The statement is not valid Unicode.");
  return sql;
}
