/**
 * One query over Parquet files whose schemas may differ. DuckDB by itself takes names and types of the first file for all of them.
 * Columns are matched by name; a column whose type differs between files is converted to the declared type, and a value that this
 * would change is an error; a declared column that a file lacks is NULL.
 */

import { missingColumns } from "../../src/connectors/duckdb/declared/missing-columns.ts";
import type { Described, ReadColumn, WantedFiles } from "../../src/connectors/duckdb/declared/scan.ts";
import { typesOf } from "../../src/connectors/duckdb/declared/scan.ts";
import { sqlIdentifier, sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import type { SourceWarning } from "../../src/result/types.ts";
import type { Engine } from "./engine.ts";
import type { ConfinedFile } from "./file-root.ts";
import { collectRows } from "./row-stream.ts";

/** The column with the path of the file, where an error has to name it. */
const PATH = "siskin_path";

interface FileColumn {
  /** DuckDB's name: the later of two names that differ only in case has a number. */
  readonly column: string;
  /** The name in the file. */
  readonly name: string;
  readonly type: string;
}

/** Files with the same schema. */
interface Group {
  readonly files: readonly ConfinedFile[];
  /** By their names in lower case. */
  readonly columns: ReadonlyMap<string, FileColumn>;
  readonly hasSimilarNames: boolean;
}

export interface ParquetFiles {
  readonly files: readonly ConfinedFile[];
  /** Options of the reader for directories called `key=value`. */
  readonly hive: readonly string[];
  /** Undefined where the manifest declares no column. */
  readonly wanted: WantedFiles | undefined;
}

export interface ParquetScan {
  readonly query: string;
  readonly warnings: readonly SourceWarning[];
}

/** Rejects with the engine's failure, or with `FILE_INVALID` or `COLUMN_NOT_FOUND`. */
export async function parquetScan(engine: Engine, source: ParquetFiles): Promise<ParquetScan> {
  const { files, hive, wanted } = source;
  const declared = wanted?.declared;
  const needed = wanted?.need.columns;
  const types: ReadonlyMap<string, ReadColumn> = declared === undefined ? new Map() : typesOf(declared, "parquet");
  const names = declared?.columns.map(({ name }) => name) ?? [];
  const groups: Group[] = [];
  for (const group of await filesBySchema(engine, files)) {
    groups.push({ files: group, ...(await columnsOf(engine, readerOf(group, hive), group, names)) });
  }
  const warnings = wanted === undefined ? [] : warningsFor(wanted, groups);
  const missing = [...types].filter(
    ([key]) => (needed === undefined || needed.has(key)) && !groups.some(({ columns }) => columns.has(key)),
  );
  const nulls = missing.map(([, { name, type }]) => `CAST(NULL AS ${type}) AS ${sqlIdentifier(name)}`);
  const [only, ...others] = groups;
  if (only === undefined) throw new ConnectorFailure("FILE_NOT_FOUND", "The pattern names no file.");
  if (others.length === 0 && !only.hasSimilarNames) {
    return { query: `SELECT ${["*", ...nulls].join(", ")} FROM ${readerOf(only.files, hive)}`, warnings };
  }
  const targets = new Map(
    [...new Set(groups.flatMap(({ columns }) => [...columns.keys()]))].map((key) => [
      key,
      targetOf(
        groups.flatMap(({ columns }) => columns.get(key) ?? []),
        types.get(key),
      ),
    ]),
  );
  const selects = groups.map(({ files: own, columns }) => {
    const items = [...targets].map(([key, { name, type }]) => {
      const column = columns.get(key);
      if (column === undefined) return `${type === undefined ? "NULL" : `CAST(NULL AS ${type})`} AS ${name}`;
      const value = sqlIdentifier(column.column);
      return type === undefined || type === column.type
        ? `${value} AS ${name}`
        : `${converted(column, type)} AS ${name}`;
    });
    const reader = readerOf(own, [...hive, `filename = ${sqlText(PATH)}`]);
    return `SELECT ${[...items, ...nulls].join(", ")} FROM ${reader}`;
  });
  return { query: `SELECT * FROM (${selects.join(" UNION ALL ")})`, warnings };
}

function warningsFor(wanted: WantedFiles, groups: readonly Group[]): readonly SourceWarning[] {
  const files = groups.flatMap(({ files: own, columns }) =>
    own.map(({ name }) => ({ name, columns: [...columns.values()].map((column) => column.name) })),
  );
  // Keys of directories are columns of a group.
  return missingColumns({ ...wanted, names: files.map(({ name }) => name), keys: [] }, files);
}

function readerOf(files: readonly ConfinedFile[], options: readonly string[]): string {
  const paths = files.map(({ path }) => sqlText(escapePattern(path))).join(", ");
  return `read_parquet([${paths}], ${options.join(", ")})`;
}

const SCHEMA =
  "(name, type, type_length, repetition_type, num_children, converted_type, scale, precision, field_id, logical_type)";

/** In the order of their first files. */
async function filesBySchema(engine: Engine, files: readonly ConfinedFile[]): Promise<readonly ConfinedFile[][]> {
  if (files.length < 2) return [[...files]];
  const paths = files.map(({ path }) => sqlText(escapePattern(path))).join(", ");
  const rows = await collectRows(
    engine,
    `SELECT file_name, md5(CAST(list(${SCHEMA}) AS VARCHAR)) FROM parquet_schema([${paths}]) GROUP BY file_name`,
  );
  const schemas = new Map(rows.map(([path, schema]) => [String(path), String(schema)]));
  const groups = new Map<string, ConfinedFile[]>();
  for (const file of files) {
    const schema = schemas.get(file.path) ?? "";
    const known = groups.get(schema);
    if (known === undefined) groups.set(schema, [file]);
    else known.push(file);
  }
  return [...groups.values()];
}

/** A name that DuckDB may have given to the second of two columns. */
const NUMBERED = /_\d+$/;

async function columnsOf(
  engine: Engine,
  reader: string,
  files: readonly ConfinedFile[],
  declared: readonly string[],
): Promise<Omit<Group, "files">> {
  const rows = await collectRows(engine, `DESCRIBE SELECT * FROM ${reader}`);
  const described: Described = rows.map(([column, type]) => [String(column), String(type)] as const);
  const [first] = files;
  const hasNumbers = first !== undefined && described.some(([column]) => NUMBERED.test(column));
  const written = hasNumbers ? await writtenNames(engine, first) : [];
  const columns = new Map<string, FileColumn>();
  let hasSimilarNames = false;
  for (const [index, [column, type]] of described.entries()) {
    // Columns of directories follow those of the file.
    const name = written[index] ?? column;
    const key = name.toLowerCase();
    const known = columns.get(key);
    hasSimilarNames ||= known !== undefined;
    if (known !== undefined && declared.includes(known.name)) {
      if (declared.includes(name)) throw similarNames(known.name, name);
      continue;
    }
    if (known === undefined || declared.includes(name)) columns.set(key, { column, name, type });
  }
  return { columns, hasSimilarNames };
}

/** Names of the columns as the file has them. */
async function writtenNames(engine: Engine, { path }: ConfinedFile): Promise<readonly string[]> {
  const rows = await collectRows(
    engine,
    `SELECT name, coalesce(num_children, 0) FROM parquet_schema([${sqlText(escapePattern(path))}])`,
  );
  const names: string[] = [];
  // The first row is the root; the members of a column follow it, each followed by its own.
  let inside = 0;
  for (const [name, children] of rows.slice(1)) {
    if (inside === 0) names.push(String(name));
    else inside--;
    inside += Number(children);
  }
  return names;
}

function similarNames(one: string, other: string): ConnectorFailure {
  return new ConnectorFailure(
    "FILE_INVALID",
    `The manifest declares the columns "${one}" and "${other}" of one file.`,
    {
      hint: "DuckDB's names ignore case: declare one of them, or rename a column of the file.",
    },
  );
}

/** Documents and structures have no conversion that keeps them. */
const UNCONVERTED = /^(?:JSON|STRUCT|MAP|UNION)\b/;

/** The common name of a column, and its type: that of all files or the declared one. Undefined: DuckDB unites the types. */
function targetOf(
  columns: readonly FileColumn[],
  declared: ReadColumn | undefined,
): { readonly name: string; readonly type: string | undefined } {
  const name = sqlIdentifier(declared?.name ?? columns[0]?.name ?? "");
  const types = new Set(columns.map(({ type }) => type));
  if (types.size === 1) return { name, type: columns[0]?.type };
  const isConverted = declared !== undefined && columns.every(({ type }) => !UNCONVERTED.test(type));
  return { name, type: isConverted ? declared.type.replace(", ", ",") : undefined };
}

/** The value by the declared type, or an error that names the file and the column. */
function converted({ column, name, type: own }: FileColumn, type: string): string {
  const value = sqlIdentifier(column);
  if (type === "VARCHAR") return `CAST(${value} AS VARCHAR)`;
  const cast = `TRY_CAST(${value} AS ${type})`;
  // Texts have several forms of one value; of all others the value has to come back.
  const isChanged = own === "VARCHAR" ? `${cast} IS NULL` : `TRY_CAST(${cast} AS ${own}) IS DISTINCT FROM ${value}`;
  const text = `'"' || ${PATH} || '": "' || left(CAST(${value} AS VARCHAR), 100) || ${sqlText(`" in the column "${name}" is no ${type}.`)}`;
  return `CASE WHEN ${value} IS NOT NULL AND ${isChanged} THEN error(${text}) ELSE ${cast} END`;
}
