/**
 * Days of CSV that are words. DuckDB 1.4 reads `infinity` and `epoch` as the first day of 1900 where the days of a file are written
 * otherwise than `2024-12-31`, and nothing in the rows says so.
 */
import { ConnectorFailure } from "../failure.ts";
import { sqlText } from "./sql-text.ts";

const OTHER_FORM = "siskin: days in another form";
const HAS_WORD = "siskin: a day that is a word";
/** Each is sniffed by itself. */
const MOST_SNIFFED = 32;

/**
 * Looks at CSV files that are read by what their rows look like; `run` runs a statement and gives no rows, `paths` are the
 * engine's, as patterns. Whether one of their cells is such a word, and their days have such a form.
 */
export async function hasDaysOfWords(
  run: (sql: string) => Promise<void>,
  paths: readonly string[],
  options: readonly string[] = [],
): Promise<boolean> {
  const sniffed = paths
    .slice(0, MOST_SNIFFED)
    .map((path) => `FROM sniff_csv(${[sqlText(path), ...options].join(", ")})`);
  const isOther = "DateFormat <> '%Y-%m-%d' OR TimestampFormat NOT LIKE '\\%Y-\\%m-\\%d%' ESCAPE '\\'";
  const forms = sniffed.map((from) => `SELECT coalesce(${isOther}, FALSE) AS other ${from}`).join(" UNION ALL ");
  if (
    !(await raises(
      run,
      `SELECT CASE WHEN bool_or(other) THEN error(${sqlText(OTHER_FORM)}) END FROM (${forms})`,
      OTHER_FORM,
    ))
  ) {
    return false;
  }
  const reader = [`[${paths.map(sqlText).join(", ")}]`, "all_varchar = true", "hive_partitioning = false", ...options];
  const cells = `SELECT coalesce(regexp_full_match(COLUMNS(*), '\\s*[-+]?(infinity|epoch)\\s*', 'i'), FALSE) FROM read_csv(${reader.join(", ")})`;
  return raises(
    run,
    `SELECT CASE WHEN greatest(*COLUMNS(*)) THEN error(${sqlText(HAS_WORD)}) END FROM (${cells})`,
    HAS_WORD,
  );
}

/** What else is wrong is told to who asks for rows. */
async function raises(run: (sql: string) => Promise<void>, sql: string, mark: string): Promise<boolean> {
  try {
    await run(sql);
    return false;
  } catch (error) {
    const isTold =
      error instanceof ConnectorFailure && /^(?:SOURCE_(?:ERROR|INVALID_SQL)|FILE_INVALID)$/.test(error.reason);
    if (!isTold) throw error;
    return error.message.includes(mark);
  }
}
