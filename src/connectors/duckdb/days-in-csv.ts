/**
 * Days of CSV that are words. DuckDB 1.4 reads `infinity` and `epoch` as the first day of 1900 where the days of a file are written
 * otherwise than `2024-12-31`, and nothing in the rows says so.
 */
import { ConnectorFailure } from "../failure.ts";
import { sqlText } from "./sql-text.ts";

const OTHER_FORM = "siskin: days in another form";
const HAS_WORD = "siskin: a day that is a word";
const IS_OTHER = "DateFormat <> '%Y-%m-%d' OR TimestampFormat NOT LIKE '\\%Y-\\%m-\\%d%' ESCAPE '\\'";
const IS_WORD = "regexp_full_match(COLUMNS(*), '\\s*[-+]?(infinity|epoch)\\s*', 'i')";
/** Each file is sniffed by itself, for each has a form of its own; so many in a statement. */
const SNIFFED_AT_ONCE = 100;

/**
 * Looks at CSV files that are read by what their rows look like; `run` runs a statement and gives no rows, `paths` are the
 * engine's, as patterns. Whether one of their cells is such a word, and their days have such a form.
 */
export async function hasDaysOfWords(
  run: (sql: string) => Promise<void>,
  paths: readonly string[],
  options: readonly string[] = [],
): Promise<boolean> {
  if (!(await haveOtherForms(run, paths, options))) return false;
  const reader = [`[${paths.map(sqlText).join(", ")}]`, "all_varchar = true", "hive_partitioning = false", ...options];
  const cells = `SELECT coalesce(${IS_WORD}, FALSE) FROM read_csv(${reader.join(", ")})`;
  const message = await failureOf(
    run(`SELECT CASE WHEN greatest(*COLUMNS(*)) THEN error(${sqlText(HAS_WORD)}) END FROM (${cells})`),
  );
  // What else is wrong is told to who asks for rows.
  return message?.includes(HAS_WORD) ?? false;
}

/** A file that cannot be sniffed by itself may be read beside others all the same, in which form nobody knows. */
async function haveOtherForms(
  run: (sql: string) => Promise<void>,
  paths: readonly string[],
  options: readonly string[],
): Promise<boolean> {
  for (let at = 0; at < paths.length; at += SNIFFED_AT_ONCE) {
    const sniffed = paths.slice(at, at + SNIFFED_AT_ONCE).map((path) => [sqlText(path), ...options].join(", "));
    const forms = sniffed.map((file) => `SELECT coalesce(${IS_OTHER}, FALSE) AS other FROM sniff_csv(${file})`);
    const sql = `SELECT CASE WHEN bool_or(other) THEN error(${sqlText(OTHER_FORM)}) END FROM (${forms.join(" UNION ALL ")})`;
    if ((await failureOf(run(sql))) !== undefined) return true;
  }
  return false;
}

/** What is told of the statement or the files; what ends the session is thrown. */
async function failureOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    const isTold =
      error instanceof ConnectorFailure && /^(?:SOURCE_(?:ERROR|INVALID_SQL)|FILE_INVALID)$/.test(error.reason);
    if (!isTold) throw error;
    return error.message;
  }
}
