/**
 * Detects CSV texts with the name of a time zone. DuckDB with its time zone extension reads them as timestamps with time zone,
 * the files Worker's engine as texts. Only the rows that DuckDB's sniffer reads matter.
 */
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import { ConnectorFailure } from "../failure.ts";
import { needsSidecar } from "./needs-sidecar.ts";

/** DuckDB's default for each file (https://duckdb.org/docs/stable/data/csv/auto_detection). */
const SNIFFED_ROWS = 20_480;
/** A date, a time, and a word. Offsets and `UTC` need no extension. */
const NAMED_ZONE = "\\s*\\d+[-/]\\d+[-/]\\d+[ T]+\\d+:\\d+[0-9:.]*\\s*[A-Za-z][\\w/+-]*\\s*";
const HAS_ZONES = "siskin: texts that name zones";

/** `run` runs a statement of the connector; `view` already exists. Rejects with `NEEDS_SIDECAR`. */
export async function assertNoNamedZones(run: (sql: string) => Promise<void>, view: string): Promise<void> {
  const sniffed = `SELECT * FROM ${sqlIdentifier(view)} LIMIT ${SNIFFED_ROWS}`;
  const columns = `SELECT bool_and(regexp_full_match(CAST(COLUMNS(*) AS VARCHAR), ${sqlText(NAMED_ZONE)})) FROM (${sniffed})`;
  const sql = `SELECT CASE WHEN greatest(*COLUMNS(*)) THEN error(${sqlText(HAS_ZONES)}) END FROM (${columns})`;
  try {
    await run(sql);
  } catch (error) {
    const isOfSource = error instanceof ConnectorFailure && /^SOURCE_(?:ERROR|INVALID_SQL)$/.test(error.reason);
    if (!isOfSource) throw error;
    // The statement that reads a row reports all other errors in it.
    if (error.message.includes(HAS_ZONES))
      throw needsSidecar(`The files Worker does not read of "${view}": its zones.`);
  }
}
