/**
 * Files that are read by the types that the manifest declares. Types of other columns are inferred, except while an access rule is
 * active: restricted rows would shape types, keys and values of the other rows
 * (docs/decisions/0037-files-have-declared-types.md#decision).
 */

import type { SourceWarning } from "../../../result/types.ts";
import type { CsvOptions } from "../../connection/csv-options.ts";
import type { FileFormat } from "../../connection/file-format.ts";
import { ConnectorFailure } from "../../failure.ts";
import { escapePattern } from "../../files/glob.ts";
import { firstCharacter, firstLine, isEmpty } from "../../files/head.ts";
import { keyedSteps, keyOf, NULL_DIRECTORY } from "../../files/partitions.ts";
import { SNIFFED_FILES } from "../../files/passed-over.ts";
import type { DeclaredFile } from "../../files/read-files.ts";
import { assertEncoding, type EncodedFile, hasFormats, quotesOf, valueOptions, WITHOUT_ZONES } from "../csv-reading.ts";
import { failingOnWords } from "../days-in-csv.ts";
import { sqlIdentifier, sqlText } from "../sql-text.ts";
import { readCsvHeader, unnamedColumns } from "./csv-header.ts";
import { missingColumns, missingMembers, type ReadFiles } from "./missing-columns.ts";
import { isReadable, readerType } from "./types.ts";

export interface ScannedFile extends EncodedFile {
  /** The engine's. */
  readonly path: string;
}

/** Files that one call of a reader takes. */
interface Batch {
  readonly files: ScannedFile[];
  /** `read_json` and all its arguments behind the files. */
  readonly reader: string;
  readonly options: readonly string[];
  /** Columns of the files, in their order. */
  readonly names: readonly string[];
}

export interface ReadColumn {
  /** The name that the statement uses. */
  readonly name: string;
  /** DuckDB's name of the type. */
  readonly type: string;
  /** The name in the file, where only its case differs. */
  readonly key?: string;
}

/** Columns by their names in lower case: DuckDB's names do not know case. */
export type Declared = ReadonlyMap<string, ReadColumn>;

/** Names and types of columns, as `DESCRIBE` returns them. */
export type Described = readonly (readonly [name: string, type: string])[];

export interface PlannedScan {
  /** A query over the files whose columns DuckDB infers; undefined where the statement needs no inferred column. */
  readonly inferring: string | undefined;
  /** A statement that fails where a day is a word that DuckDB would read as another day; undefined where no such value is possible. */
  readonly days?: string | undefined;
  /** A query over the columns that the statement may read. `inferred`: columns of `inferring`. */
  readonly query: (inferred: Described) => string;
  /** Warnings about declared columns that files lack. Throws `COLUMN_NOT_FOUND`. */
  readonly missing: (inferred: Described) => readonly SourceWarning[];
}

/** The part of `ReadFiles` that the caller knows. */
export type WantedFiles = Omit<ReadFiles, "keys" | "names">;

/** `more`: options of the reader. `csv`: how CSV files are written, by connection and model. Fails with `FILE_INVALID`. */
export async function declaredScan(
  files: readonly ScannedFile[],
  format: Exclude<FileFormat, "parquet">,
  wanted: WantedFiles,
  { more = [], csv = {} }: { readonly more?: readonly string[]; readonly csv?: CsvOptions } = {},
): Promise<PlannedScan> {
  const { declared: file } = wanted;
  const needed = wanted.need.columns;
  const types = typesOf(file, format);
  const { keys, items, options: hive } = partitionsOf(files, types, file.isRestricted);
  const read: ReadFiles = { ...wanted, keys, names: files.map(({ name }) => name) };
  const arguments_ = (options: readonly string[]): string => [...options, ...hive, ...more].join(", ");
  const inPaths = new Set(keys.map((key) => key.toLowerCase()));
  const declared = new Map([...types].filter(([name]) => !inPaths.has(name)));
  const isWanted = (name: string): boolean => {
    const key = name.toLowerCase();
    return !file.isRestricted && !types.has(key) && !inPaths.has(key) && (needed === undefined || needed.has(key));
  };
  if (format === "json") {
    if (file.isRestricted && declared.size === 0 && files[0] !== undefined) throw declaresNoColumn(files[0]);
    const batches = await jsonBatches(files);
    const inferring = `SELECT * FROM read_json([${pathsOf(files)}], ${[...hive, `maximum_sample_files = ${SNIFFED_FILES.json}`, ...more].join(", ")})`;
    return {
      inferring: file.isRestricted ? undefined : inferring,
      missing: (inferred) => missingMembers(read, membersIn(inferred)),
      query: (inferred) => {
        const columns = [...declared.values()].map((column) => writtenAs(column, inferred));
        const chosen: readonly ReadColumn[] = [
          ...columns,
          ...inferred.filter(([name]) => isWanted(name)).map(([name, type]) => ({ name, type })),
        ];
        // Without a column DuckDB's reader of JSON does not count rows.
        const options = struct(
          (chosen.length > 0 ? chosen : [NO_COLUMN]).map(({ key, name, type }) => [key ?? name, type]),
        );
        const selected = [...chosen.map(({ name, key }) => renamed(key, name)), ...items];
        const list = selected.length === 0 ? "NULL AS siskin_none" : selected.join(", ");
        return batches
          .map(
            (batch) =>
              `SELECT ${list} FROM read_json([${pathsOf(batch.files)}], ${arguments_([...batch.options, `columns = ${options}`])})`,
          )
          .join(" UNION ALL ");
      },
    };
  }
  assertNoFormattedZones(declared, csv);
  const batches = await csvBatches(files, file, inPaths, csv);
  const undeclared = [
    ...new Set(batches.flatMap(({ names }) => names.filter(isWanted).map((name) => name.toLowerCase()))),
  ];
  const present = (names: readonly string[], key: string): string | undefined =>
    names.find((name) => name.toLowerCase() === key);
  const inferring = batches.map(({ files: own, options, names }) => {
    const known = names.flatMap((name): [string, string][] => {
      const type = declared.get(name.toLowerCase())?.type;
      return type === undefined ? [] : [[name, type]];
    });
    const list = undeclared.map((key) => {
      const name = present(names, key);
      return name === undefined ? `NULL AS ${sqlIdentifier(key)}` : sqlIdentifier(name);
    });
    const typed = known.length === 0 ? [] : [`types = ${struct(known)}`];
    return `SELECT ${list.join(", ")} FROM read_csv([${pathsOf(own)}], ${[...options, "skip = 0", ...inferringZones(csv), ...typed, "hive_partitioning = false", ...more].join(", ")})`;
  });
  const days = hasFormats(csv) ? dayScans(batches, declared, more) : [];
  return {
    inferring: undeclared.length === 0 ? undefined : inferring.join(" UNION ALL "),
    days: days.length === 0 ? undefined : days.join(" UNION ALL "),
    missing: () =>
      missingColumns(
        read,
        batches.flatMap(({ files: own, names }) => own.map(({ name }) => ({ name, columns: names }))),
      ),
    query: (inferred) => {
      const added = inferred.map(([name, type]) => [name.toLowerCase(), { name, type }] as const);
      const all: Declared = new Map([...declared, ...added]);
      const scans = batches.map(({ files: batch, options, names }) => {
        const columns = names.map((name): [string, string] => [name, all.get(name.toLowerCase())?.type ?? "VARCHAR"]);
        const selected = [...all].map(([key, { name, type }]) => {
          const own = present(names, key);
          return own === undefined ? `CAST(NULL AS ${type}) AS ${sqlIdentifier(name)}` : renamed(own, name);
        });
        const list = [...selected, ...items];
        return `SELECT ${list.length === 0 ? "NULL AS siskin_none" : list.join(", ")} FROM read_csv([${pathsOf(batch)}], ${arguments_(["auto_detect = false", ...options, `columns = ${struct(columns)}`])})`;
      });
      return scans.join(" UNION ALL ");
    },
  };
}

/** DuckDB's column for files without records, or with records that it takes for maps, has this name. */
const WHOLE_RECORD = "json";

function membersIn(inferred: Described): readonly string[] {
  const names = inferred.map(([name]) => name);
  return names.length === 1 && names[0] === WHOLE_RECORD ? [] : names;
}

const NO_COLUMN: ReadColumn = { name: "siskin_none", type: "VARCHAR" };

function pathsOf(files: readonly ScannedFile[]): string {
  return files.map(({ path }) => sqlText(escapePattern(path))).join(", ");
}

function renamed(own: string | undefined, name: string): string {
  return own === undefined || own === name ? sqlIdentifier(name) : `${sqlIdentifier(own)} AS ${sqlIdentifier(name)}`;
}

/**
 * The member that has exactly the column's name, else one whose name differs only in case. DuckDB numbers members that differ only
 * in case (`CODE`, `code_1`): then the exact name is read.
 */
function writtenAs(column: ReadColumn, inferred: Described): ReadColumn {
  const names = inferred.map(([name]) => name);
  if (names.includes(column.name)) return column;
  const folded = column.name.toLowerCase();
  const key = names.find((name) => name.toLowerCase() === folded);
  const isNumbered = (name: string): boolean => name.toLowerCase().replace(/_\d+$/, "") === folded && name !== key;
  return key === undefined || names.some(isNumbered) ? column : { ...column, key };
}

function batched(
  read: readonly { readonly file: ScannedFile; readonly batch: Omit<Batch, "files"> }[],
): readonly Batch[] {
  const batches = new Map<string, Batch>();
  for (const { file, batch } of read) {
    const key = JSON.stringify([batch.options, batch.names]);
    const known = batches.get(key);
    if (known === undefined) batches.set(key, { files: [file], ...batch });
    else known.files.push(file);
  }
  return [...batches.values()];
}

/** A file without a byte has no rows and no header. */
async function csvBatches(
  files: readonly ScannedFile[],
  { columns, isRestricted }: DeclaredFile,
  inPaths: ReadonlySet<string>,
  csv: CsvOptions,
): Promise<readonly Batch[]> {
  const names = new Map(
    columns.flatMap(({ name }) => (inPaths.has(name.toLowerCase()) ? [] : [[name.toLowerCase(), name] as const])),
  );
  const { quote, escape } = quotesOf(csv);
  const read: { file: ScannedFile; batch: Omit<Batch, "files"> }[] = [];
  for (const file of files) {
    const line = await firstLine(file.name, file.beginning(), csv.encoding);
    if (line === "" && (await isEmpty(file.beginning()))) continue;
    await assertEncoding(file, csv);
    const named = csv.header === false ? undefined : readCsvHeader(line, names, csv);
    // Under an access rule only a header or the options may decide: the first row may be restricted.
    const mayLackHeader = csv.header === false ? csv.delimiter !== undefined || !isRestricted : !isRestricted;
    const header = named ?? (mayLackHeader && csv.header !== true ? unnamedColumns(line, names, csv) : undefined);
    if (header === undefined) throw namesNoColumn(file, csv);
    const options = [
      `header = ${named !== undefined}`,
      `delim = ${sqlText(header.delimiter)}`,
      `quote = ${sqlText(quote)}`,
      `escape = ${sqlText(escape)}`,
      ...valueOptions(csv),
    ];
    read.push({ file, batch: { reader: "read_csv", names: header.names, options } });
  }
  const [first] = files;
  if (read.length === 0 && first !== undefined) throw namesNoColumn(first, csv);
  return batched(read);
}

/** DuckDB 1.4 reads a value in such a column as NULL if it has the form of `timestampFormat`. */
function assertNoFormattedZones(declared: Declared, { timestampFormat }: CsvOptions): void {
  const zoned = [...declared.values()].find(({ type }) => type === "TIMESTAMPTZ");
  if (timestampFormat === undefined || zoned === undefined) return;
  throw new ConnectorFailure(
    "FILE_INVALID",
    `The CSV option timestampFormat does not apply to the column "${zoned.name}", which has a time zone.`,
    { hint: "Declare the column as timestamp without time zone, or as text." },
  );
}

function inferringZones({ timestampFormat }: CsvOptions): readonly string[] {
  return timestampFormat === undefined ? [] : [WITHOUT_ZONES];
}

/** One statement for each batch with columns of days. */
function dayScans(batches: readonly Batch[], declared: Declared, more: readonly string[]): readonly string[] {
  return batches.flatMap(({ files, options, names }) => {
    const days = names.filter((name) => /^(?:DATE|TIMESTAMP)$/.test(declared.get(name.toLowerCase())?.type ?? ""));
    if (days.length === 0) return [];
    const columns = names.map((name): [string, string] => [name, "VARCHAR"]);
    const reader = [
      "auto_detect = false",
      ...options,
      `columns = ${struct(columns)}`,
      "hive_partitioning = false",
      ...more,
    ];
    return [failingOnWords(days, `read_csv([${pathsOf(files)}], ${reader.join(", ")})`)];
  });
}

async function jsonBatches(files: readonly ScannedFile[]): Promise<readonly Batch[]> {
  const read: { file: ScannedFile; batch: Omit<Batch, "files"> }[] = [];
  for (const file of files) {
    // One record a line, or several lines for one: DuckDB reads both as texts one after the other.
    const form = (await firstCharacter(file.beginning())) === "[" ? "'array'" : "'unstructured'";
    const options = ["auto_detect = false", `format = ${form}`, "records = 'true'"];
    read.push({ file, batch: { reader: "read_json", names: [], options } });
  }
  return batched(read);
}

function namesNoColumn({ name }: ScannedFile, { header, delimiter }: CsvOptions): ConnectorFailure {
  if (header === false) {
    return new ConnectorFailure(
      "FILE_INVALID",
      `"${name}" has no header, and the manifest declares none of its columns.`,
      {
        hint: "A file without a header has the columns column0, column1 …; of ten and more columns column00 …. While an access rule is active, it also needs the CSV option delimiter.",
      },
    );
  }
  return new ConnectorFailure(
    "FILE_INVALID",
    `The first line of "${name}" names no column that the manifest declares.`,
    {
      hint: `A CSV file needs a header in its first line that names columns of the manifest, separated by ${delimiter === undefined ? "comma, semicolon, tab or |" : "the CSV option delimiter"}. Without an access rule a file without a header has the columns column0, column1 …`,
    },
  );
}

function declaresNoColumn({ name }: ScannedFile): ConnectorFailure {
  return new ConnectorFailure("FILE_INVALID", `The manifest declares no column of "${name}".`, {
    hint: "While an access rule is active, a JSON file has the columns that the manifest declares, and no others.",
  });
}

/** Columns whose types the manifest declares. Throws `FILE_INVALID`. */
export function typesOf({ columns, isRestricted }: DeclaredFile, format: FileFormat): Declared {
  const types = new Map<string, ReadColumn>();
  for (const { name, type } of columns) {
    if (!isRestricted && !isReadable(type)) continue;
    const key = name.toLowerCase();
    const own = { name, type: readerType(type, format) };
    const known = types.get(key);
    if (known !== undefined && known.type !== own.type) {
      throw new ConnectorFailure("FILE_INVALID", `The manifest declares the column "${name}" with two types.`, {
        hint: "A file is read by the declared types: models over one file have to agree.",
      });
    }
    types.set(key, known ?? own);
  }
  return types;
}

/** How columns of directories called `key=value` are read. */
export interface PartitionReading {
  /** Options of a reader of any format. */
  readonly options: readonly string[];
  /** Items of a SELECT by their keys, where the reader's value is not the column's. */
  readonly changed: ReadonlyMap<string, string>;
}

/** Throws `FILE_INVALID`. */
export function declaredPartitions(files: readonly Pick<ScannedFile, "name">[], file: DeclaredFile): PartitionReading {
  return partitionsOf(files, typesOf(file, "parquet"), file.isRestricted);
}

/**
 * Names of directories called `key=value` below the root, the options by which a reader types them, and the keys as items of a SELECT.
 */
function partitionsOf(files: readonly Pick<ScannedFile, "name">[], types: Declared, isRestricted: boolean) {
  const steps = files.flatMap(({ name }) => keyedSteps(name));
  const keys = [...new Set(steps.map(keyOf))];
  const withNull = new Set(steps.filter((step) => step === `${keyOf(step)}=${NULL_DIRECTORY}`).map(keyOf));
  const typeOf = (key: string): string | undefined =>
    types.get(key.toLowerCase())?.type ?? (isRestricted || withNull.has(key) ? "VARCHAR" : undefined);
  const partitions = keys.flatMap((key): [string, string][] => {
    const type = withNull.has(key) ? "VARCHAR" : typeOf(key);
    return type === undefined ? [] : [[key, type]];
  });
  const items = keys.map((key) => {
    const name = sqlIdentifier(key);
    return withNull.has(key) ? `CAST(NULLIF(${name}, '${NULL_DIRECTORY}') AS ${typeOf(key)}) AS ${name}` : name;
  });
  const changed = new Map(
    keys.flatMap((key, index) => (withNull.has(key) ? [[key, items[index] ?? key] as const] : [])),
  );
  if (keys.length === 0) return { keys, items, changed, options: ["hive_partitioning = false"] };
  const typed = partitions.length === 0 ? [] : [`hive_types = ${struct(partitions)}`];
  const options = ["hive_partitioning = true", ...(isRestricted ? ["hive_types_autocast = false"] : []), ...typed];
  return { keys, items, changed, options };
}

function struct(types: readonly (readonly [name: string, type: string])[]): string {
  return `{${types.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`).join(", ")}}`;
}
