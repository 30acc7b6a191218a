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
 * Spark). The text says whether variables are put into texts before they are read.
 */
export const SETTINGS_QUERY = `SELECT current_timezone(), typeof(coalesce(1, '1')), '${VARIABLE}'`;

/** Names that Java has for it. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$|^(?:Z|\+00:00)$/i;

/** Throws `SOURCE_ERROR` when `sql` would mean something else there. */
export function assertSettings([row]: readonly Row[], sql: string): void {
  const [zone, type, text] = row ?? [];
  if (typeof zone !== "string" || !UTC.test(zone)) throw isOtherwise("TIMEZONE", "UTC");
  if (type !== "bigint") throw isOtherwise("ANSI_MODE", "true");
  if (text !== VARIABLE && sql.includes("${")) {
    throw new ConnectorFailure("SOURCE_ERROR", "The warehouse puts values of its own into the statement's texts.");
  }
}

function isOtherwise(name: string, value: string): ConnectorFailure {
  return new ConnectorFailure("SOURCE_ERROR", `The warehouse has another ${name} than ${value}.`, {
    hint: `Set ${name} to ${value} in the SQL configuration parameters of the workspace, or take it out there.`,
  });
}
