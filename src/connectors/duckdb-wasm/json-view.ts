/** JSON files under their name in a plan. The records are parsed in JavaScript, because the engine's reader is an extension. */
import { concatenated } from "../../result/bytes.ts";
import { arrowField } from "../../result/encode/arrow/types.ts";
import { recordBody } from "../../result/encode/arrow/writer.ts";
import type { Row, SourceWarning } from "../../result/types.ts";
import { missingMembers } from "../duckdb/declared/missing-columns.ts";
import { declaredPartitions, typesOf } from "../duckdb/declared/scan.ts";
import { sqlIdentifier } from "../duckdb/sql-text.ts";
import { Beyond } from "../files/beyond.ts";
import { type JsonObject, recordsOf } from "../files/json/scanner.ts";
import { columnsOf, type JsonColumn, rowOf } from "../files/json/shape.ts";
import { SCHEMA } from "../files/need.ts";
import { keyedSteps, keyOf } from "../files/partitions.ts";
import { areNeeded, SNIFFED_FILES } from "../files/passed-over.ts";
import { type EngineStream, engineStream } from "./engine-stream.ts";
import { plainBytes } from "./file-bytes.ts";
import { declaredColumns, type TableColumns } from "./json-declared.ts";
import { beyond, needsSidecar } from "./needs-sidecar.ts";
import { assertApart, byDirectory, OWN_TYPES, partitionColumns } from "./partition-columns.ts";
import { fetchSmall } from "./small-objects.ts";
import type { FoundFile, View } from "./view.ts";

export interface JsonView {
  readonly columns: readonly JsonColumn[];
  /** Created and filled before the view: one, or one for each directory. */
  readonly tables: readonly { readonly name: string; readonly texts: readonly JsonText[] }[];
  /** Same as for Parquet (`parquet-view.ts`). */
  readonly directories: ReadonlyMap<string, string>;
  readonly before: readonly string[];
  /** The query that replaces the files. */
  readonly query: string;
  /** About declared columns that no record has. */
  readonly warnings: readonly SourceWarning[];
}

interface JsonText {
  readonly name: string;
  readonly text: string;
}

/** Maximum size of all files of a statement, decompressed: their values take as much again. */
export const MOST_JSON_BYTES = 8 * 1024 * 1024;
/** Number of records, of some files, from which DuckDB infers types. */
const SNIFFED_RECORDS = 20_480;
/** If there are more, these records must give the same types as all: then every subset that DuckDB may read does too. */
const SURE_RECORDS = 1_000;
const ROWS_AT_ONCE = 2_048;

/**
 * `take` is told how many bytes are read, and fails where there is no room. `prefix`: of names of the engine. Fails with
 * `NEEDS_SIDECAR` for what is not read here.
 */
export async function jsonView(
  { name: path, files, declared, need, areRead }: Pick<View, "name" | "files" | "declared" | "need" | "areRead">,
  prefix: string,
  take: (bytes: number) => void,
  signal: AbortSignal,
): Promise<JsonView> {
  const [first] = files;
  if (declared?.isRestricted === true) throw needsSidecar("The files Worker reads no JSON under access rules.");
  const names = files.map(({ name }) => name);
  const types = declared === undefined ? OWN_TYPES : declaredPartitions(files, declared);
  const hive = partitionColumns(names, need, types, prefix);
  const needed = areNeeded(files, "json", areRead ? need : SCHEMA, false);
  await fetchSmall(
    files.filter((_, index) => needed[index]),
    signal,
  );
  const texts: JsonText[] = [];
  for (const [index, file] of files.entries()) {
    if (needed[index] === true) texts.push({ name: file.name, text: await textOf(file, take, signal) });
  }
  const keys = [...new Set(names.flatMap((name) => keyedSteps(name).map(keyOf)))];
  const warnings =
    declared === undefined ? [] : missingMembers({ path, declared, need, names, keys, areRead }, membersOf(texts));
  const own = tableColumns(first?.name ?? "", texts, { declared, need, keys: hive?.keys ?? [] });
  const { columns } = own;
  if (hive === undefined) {
    const tables = [{ name: `${prefix}-0`, texts }];
    const query = queryOf(`${prefix}-0`, own.selected, []);
    return { columns, tables, directories: new Map(), before: [], query, warnings };
  }
  assertApart(
    hive,
    first?.name ?? "",
    columns.map(({ name }) => name),
  );
  const branches = [...byDirectory(texts)].map(([directory, inside], index) => {
    const name = `${prefix}-${index}`;
    return { name, texts: inside, query: queryOf(name, own.selected, hive.valuesIn(directory)) };
  });
  return {
    columns,
    tables: branches,
    directories: hive.files,
    before: [hive.before],
    query: branches.map(({ query }) => query).join(" UNION ALL "),
    warnings,
  };
}

/** Names in all records. A file that cannot be read is reported by its reader. */
function membersOf(texts: readonly JsonText[]): readonly string[] {
  const names = new Set<string>();
  for (const keys of eachRecord(texts, (record) => record.keys())) for (const key of keys) names.add(key);
  return [...names];
}

function queryOf(table: string, selected: readonly string[], more: readonly string[]): string {
  return `SELECT ${[...selected, ...more].join(", ")} FROM ${sqlIdentifier(table)}`;
}

function tableColumns(
  name: string,
  texts: readonly JsonText[],
  { declared, need, keys }: Pick<View, "declared" | "need"> & { readonly keys: readonly string[] },
): TableColumns {
  const inferred = (): readonly JsonColumn[] => sureColumns(texts);
  const records = (): Iterable<JsonObject> => eachRecord(texts, (record) => record);
  const inPaths = new Set(keys.map((key) => key.toLowerCase()));
  try {
    if (declared === undefined || declared.columns.length === 0) {
      const columns = inferred();
      return { columns, selected: columns.map((column) => sqlIdentifier(column.name)) };
    }
    const isNeeded = (column: string): boolean =>
      !inPaths.has(column) && (need.columns === undefined || need.columns.has(column));
    return declaredColumns(
      { records, areAllSampled: isSampledWhole(texts, records()), inferred },
      typesOf(declared, "json"),
      isNeeded,
    );
  } catch (error) {
    throw told(name, error);
  }
}

/** Whether DuckDB looks at every record to infer types. */
function isSampledWhole(texts: readonly JsonText[], records: Iterable<JsonObject>): boolean {
  if (texts.length > SNIFFED_FILES.json) return false;
  let count = 0;
  for (const _record of records) if (++count > SNIFFED_RECORDS) return false;
  return true;
}

function sureColumns(texts: readonly JsonText[]): readonly JsonColumn[] {
  let count = 0;
  const counted = (record: JsonObject): JsonObject => {
    count++;
    return record;
  };
  const columns = columnsOf(eachRecord(texts, counted));
  if (count <= SNIFFED_RECORDS && texts.length <= SNIFFED_FILES.json) return columns;
  const beginning = columnsOf(firstOf(recordsOf(texts[0]?.text ?? ""), SURE_RECORDS));
  const signature = (of: readonly JsonColumn[]) => of.map(({ name, sql }) => `${sqlIdentifier(name)} ${sql}`).join();
  if (signature(beginning) !== signature(columns)) throw new Beyond("records that differ from those of its beginning");
  return columns;
}

function* firstOf<T>(all: Iterable<T>, count: number): Generator<T, void, undefined> {
  let left = count;
  for (const one of all) {
    if (left-- === 0) return;
    yield one;
  }
}

/** The rows in sequence, each part as a complete stream. */
export function* jsonRows(
  columns: readonly JsonColumn[],
  texts: readonly JsonText[],
): Generator<EngineStream, void, undefined> {
  const fields = columns.map(({ name, logical }) => arrowField(name, logical, (own) => own));
  let rows: Row[] = [];
  const stream = (): EngineStream => engineStream(fields, rows.length, recordBody(rows, fields));
  for (const row of eachRecord(texts, (record) => rowOf(record, columns))) {
    rows.push(row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield stream();
    rows = [];
  }
  if (rows.length > 0) yield stream();
}

/** Calls `make` for each record in order. Throws `NEEDS_SIDECAR` with the file's name. */
function* eachRecord<T>(texts: readonly JsonText[], make: (record: JsonObject) => T): Generator<T, void, undefined> {
  for (const { name, text } of texts) {
    try {
      for (const record of recordsOf(text)) yield make(record);
    } catch (error) {
      throw told(name, error);
    }
  }
}

async function textOf(file: FoundFile, take: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of plainBytes(file, signal)) {
    signal.throwIfAborted();
    take(part.length);
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(concatenated(parts));
  } catch {
    throw beyond(file.name, "texts that are not UTF-8");
  }
}

const told = (name: string, error: unknown): unknown => (error instanceof Beyond ? beyond(name, error.message) : error);
