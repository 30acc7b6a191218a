/**
 * Detects words for dates in CSV files. DuckDB 1.4 reads `infinity` and `epoch` as the first day of 1900 if the dates of a file
 * have another format than `2024-12-31`, without an error or a trace in the rows.
 */
import { ConnectorFailure } from "../failure.ts";
import { sqlIdentifier, sqlText } from "./sql-text.ts";

const OTHER_FORM = "siskin: days in another form";
const HAS_WORD = "siskin: a day that is a word";
const IS_OTHER = "DateFormat <> '%Y-%m-%d' OR TimestampFormat NOT LIKE '\\%Y-\\%m-\\%d%' ESCAPE '\\'";
const WORD = "'\\s*[-+]?(infinity|epoch)\\s*', 'i'";
const IS_WORD = `regexp_full_match(COLUMNS(*), ${WORD})`;
/** Number of files sniffed per statement; each file is sniffed separately, because each may have another format. */
const SNIFFED_AT_ONCE = 100;

/**
 * Whether CSV files with inferred types contain such a word and have such a date format. `run` runs a statement without returning
 * rows; `paths` are the engine's, as patterns.
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
  // The statement that reads rows reports all other errors.
  return message?.includes(HAS_WORD) ?? false;
}

export function dayIsWord(name: string): ConnectorFailure {
  return new ConnectorFailure(
    "FILE_INVALID",
    `"${name}" has a cell "infinity" or "epoch" beside days in a form of their own.`,
    {
      hint: "Write days as 2024-12-31, or an empty cell: in another form of days DuckDB reads the word as 1900-01-01.",
    },
  );
}

/** A query that fails if one of the text columns contains a word for a day. */
export function failingOnWords(columns: readonly string[], scan: string): string {
  const words = columns.map((column) => `coalesce(regexp_full_match(${sqlIdentifier(column)}, ${WORD}), FALSE)`);
  return `SELECT CASE WHEN ${words.join(" OR ")} THEN error(${sqlText(HAS_WORD)}) END FROM ${scan}`;
}

/** Whether the query of `failingOnWords` finds a word for a day. */
export async function findsWords(run: (sql: string) => Promise<void>, query: string): Promise<boolean> {
  // The statement that reads rows reports all other errors.
  return (await failureOf(run(query)))?.includes(HAS_WORD) ?? false;
}

/** A file that cannot be sniffed alone may still be readable together with others, in an unknown format. */
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

/** Returns errors about the statement or the files; throws errors that end the session. */
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
