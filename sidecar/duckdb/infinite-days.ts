/**
 * Days that are words. DuckDB 1.4 reads `infinity` and `epoch` as the first day of 1900 where it tells by itself that a column of
 * JSON has days, or one of CSV that are written otherwise than `2024-12-31`, and nothing in the rows says so: they are refused.
 */
import { dayIsWord, findsWords, hasDaysOfWords } from "../../src/connectors/duckdb/days-in-csv.ts";
import { sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import type { Engine } from "./engine.ts";
import { beginningOf } from "./file-head.ts";
import type { ConfinedFile } from "./file-root.ts";
import { describe, type FileView } from "./file-views.ts";
import { collectRows } from "./row-stream.ts";

/** In any text of the file: a first look, which costs little. */
const WORD = /"\s*[-+]?(?:infinity|epoch)\s*"/i;
/** Longer than the longest word, with some blanks. */
const OVERLAP = 64;
const HAS_DAYS = /\b(?:DATE|TIMESTAMP)/;

/** `view` is there. Fails with `FILE_INVALID`, and after an abort with the signal's reason. */
export async function assertFiniteDays(engine: Engine, view: FileView, signal: AbortSignal): Promise<void> {
  if (view.days !== undefined && (await findsWords((sql) => engine.run(sql), view.days))) throw dayIsWord(view.name);
  if (view.sniffed === "json") return assertInJson(engine, view, signal);
  if (view.sniffed !== "csv") return;
  const paths = view.files.map(({ path }) => escapePattern(path));
  if (!(await hasDaysOfWords((sql) => engine.run(sql), paths, view.options))) return;
  throw dayIsWord(view.name);
}

async function assertInJson(
  engine: Engine,
  { name, files, inferring, query }: FileView,
  signal: AbortSignal,
): Promise<void> {
  const columns = (await describe(engine, inferring ?? query([]))).map(([column, type]) => ({ column, type }));
  const withDays = columns.filter(({ type }) => HAS_DAYS.test(type));
  if (withDays.length === 0) return;
  for (const file of files) {
    if (!(await hasWord(file, signal))) continue;
    for (const { column, type } of withDays) {
      if (!/^(?:DATE|TIMESTAMP)$/.test(type) || (await isIn(engine, file, column)))
        throw infinite(file.name, column, name);
    }
  }
}

async function hasWord(file: ConfinedFile, signal: AbortSignal): Promise<boolean> {
  let before = "";
  for await (const chunk of beginningOf(file)) {
    signal.throwIfAborted();
    const text = before + Buffer.from(chunk).toString("latin1");
    if (WORD.test(text)) return true;
    before = text.slice(-OVERLAP);
  }
  return false;
}

/** Tests the column itself, or records that are not objects, which DuckDB names `json`. */
async function isIn(engine: Engine, { path }: ConfinedFile, column: string): Promise<boolean> {
  const member = `json_extract_string(json, ${sqlText(`/${column.replaceAll("~", "~0").replaceAll("/", "~1")}`)})`;
  const word = "'\\s*[-+]?(infinity|epoch)\\s*'";
  const sql = `SELECT count(*) FROM read_json_objects(${sqlText(escapePattern(path))}) WHERE regexp_full_match(${member}, ${word}, 'i') OR regexp_full_match(json_extract_string(json, '$'), ${word}, 'i')`;
  const [[count] = []] = await collectRows(engine, sql);
  return Number(count) > 0;
}

function infinite(file: string, column: string, path: string): ConnectorFailure {
  return new ConnectorFailure("FILE_INVALID", `"${file}" has a day "infinity" or "epoch" in its column "${column}".`, {
    hint: `Write null or a day instead: without declared types DuckDB reads it as 1900-01-01, in "${path}".`,
  });
}
