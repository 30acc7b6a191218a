/** SQL on its way to a server. */
import { ConnectorFailure } from "./failure.ts";

/** The statement, once it is sure to arrive as it is. Throws `SOURCE_INVALID_SQL`. */
export function sendableSql(sql: string): string {
  // A NUL ends the text of a message of PostgreSQL, and what follows would be read as the rest of the message; elsewhere it
  // ends what a lexer reads.
  if (sql.includes("\0")) throw new ConnectorFailure("SOURCE_INVALID_SQL", "The statement contains a NUL character.");
  // Half a surrogate pair has no UTF-8 form; encoders replace it silently.
  if (!sql.isWellFormed()) throw new ConnectorFailure("SOURCE_INVALID_SQL", "The statement is not valid Unicode.");
  return sql;
}
