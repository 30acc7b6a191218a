/**
 * Settings of a warehouse that the meaning of statements depends on. The API has no sessions to set them in, and the workspace's
 * administrators may have changed them, so they are read.
 * https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-parameters
 */
import type { Row } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";

/** Composed from parts, so that it is not mistaken for a template of TypeScript. */
const VARIABLE = `$${"{spark.sql.session.timeZone}"}`;

/**
 * The common type of a number and a text shows ANSI_MODE: BIGINT with it, STRING without (`AnsiTypeCoercion` and `TypeCoercion`
 * of Spark). The text shows whether variables are substituted in texts before they are parsed. `S` is the first fraction digit of
 * a second, and all milliseconds for the Java classes that LEGACY_TIME_PARSER_POLICY = LEGACY uses for patterns. Patterns that
 * EXCEPTION accepts have the meaning of CORRECTED.
 */
export const SETTINGS_QUERY = `SELECT current_timezone(), typeof(coalesce(1, '1')), '${VARIABLE}', date_format(TIMESTAMP '2000-01-01 00:00:00.123', 'S')`;

/** Java's names for UTC. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$|^(?:Z|\+00:00)$/i;

/** Throws `SOURCE_ERROR` when `sql` would have another meaning on the warehouse. */
export function assertSettings([row]: readonly Row[], sql: string): void {
  const [zone, type, text, fraction] = row ?? [];
  if (typeof zone !== "string" || !UTC.test(zone)) throw isOtherwise("TIMEZONE", "UTC");
  if (type !== "bigint") throw isOtherwise("ANSI_MODE", "true");
  if (fraction !== "1") throw isOtherwise("LEGACY_TIME_PARSER_POLICY", "CORRECTED");
  if (text !== VARIABLE && sql.includes("${")) {
    throw new ConnectorFailure("SOURCE_ERROR", "The warehouse puts values of its own into the statement's texts.");
  }
}

function isOtherwise(name: string, value: string): ConnectorFailure {
  return new ConnectorFailure("SOURCE_ERROR", `The warehouse has another ${name} than ${value}.`, {
    hint: `Set ${name} to ${value} in the SQL configuration parameters of the workspace, or remove it from them.`,
  });
}
