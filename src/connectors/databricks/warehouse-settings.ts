/**
 * Settings of a warehouse that statements get their meaning from. The API has no sessions to set them in, and whoever runs the
 * workspace may have set them otherwise, so they are asked for.
 * https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-parameters
 */
import type { Row } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";

/** Written with what the quotes hold, so that nobody reads it as a template of ours. */
const VARIABLE = `$${"{spark.sql.session.timeZone}"}`;

/**
 * The type of a number beside a text tells ANSI_MODE: BIGINT with it, STRING without (`AnsiTypeCoercion` and `TypeCoercion` of
 * Spark). The text says whether variables are put into texts before they are read. `S` is the first digit of a second's fraction,
 * and all of its milliseconds for the classes of Java that LEGACY_TIME_PARSER_POLICY = LEGACY has patterns read by; what EXCEPTION
 * lets through is what CORRECTED says.
 */
export const SETTINGS_QUERY = `SELECT current_timezone(), typeof(coalesce(1, '1')), '${VARIABLE}', date_format(TIMESTAMP '2000-01-01 00:00:00.123', 'S')`;

/** Names that Java has for it. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$|^(?:Z|\+00:00)$/i;

/** Throws `SOURCE_ERROR` when `sql` would mean something else there. */
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
    hint: `Set ${name} to ${value} in the SQL configuration parameters of the workspace, or take it out there.`,
  });
}
