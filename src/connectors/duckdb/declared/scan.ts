/**
 * Files read by what the manifest says of them, and by nothing that is inferred from their rows: while an access rule is
 * active, the rows that it withholds would shape types, keys and values of those that it leaves (decisions S74).
 */
import type { DeclaredColumn } from "../../../planner/plan.ts";
import type { FileFormat } from "../../connection/file-format.ts";
import { ConnectorFailure } from "../../failure.ts";
import { escapePattern } from "../../files/glob.ts";
import { firstCharacter, firstLine, isEmpty } from "../../files/head.ts";
import { keyedSteps, keyOf } from "../../files/partitions.ts";
import { sqlIdentifier, sqlText } from "../sql-text.ts";
import { readCsvHeader } from "./csv-header.ts";
import { readerType } from "./types.ts";

export interface ScannedFile {
  /** The engine's. */
  readonly path: string;
  /** As it may be shown. */
  readonly name: string;
  /** Its plain bytes from the beginning, as many as are asked for. Fails with `ConnectorFailure`. */
  beginning(): AsyncIterable<Uint8Array>;
}

/** Files that one call of a reader takes. */
interface Batch {
  readonly files: ScannedFile[];
  /** `read_json` and all its arguments behind the files. */
  readonly reader: string;
  readonly options: readonly string[];
  /** The names that declared columns have in the files. */
  readonly names: readonly string[];
}

/** Types by name, in lower case: DuckDB's names do not know case. */
type Declared = ReadonlyMap<string, { readonly name: string; readonly type: string }>;

/** A query over those declared columns that the files have. `more`: options of the reader. Fails with `FILE_INVALID`. */
export async function declaredScan(
  files: readonly ScannedFile[],
  format: FileFormat,
  columns: readonly DeclaredColumn[],
  more: readonly string[] = [],
): Promise<string> {
  const types = typesOf(columns, format);
  const { keys, options: hive } = partitionsOf(files, types);
  const inPaths = new Set(keys.map((key) => key.toLowerCase()));
  const declared = new Map([...types].filter(([name]) => !inPaths.has(name)));
  const batches = await batchesOf(files, format, declared);
  const [first] = batches;
  const scans = batches.map(({ files: read, reader, options, names }) => {
    const have = new Set(names.map((name) => name.toLowerCase()));
    const missing = first?.names.find((name) => !have.has(name.toLowerCase()));
    if (missing !== undefined) {
      throw new ConnectorFailure(
        "FILE_INVALID",
        `"${read[0]?.name}" has no column "${missing}", as others of its table do.`,
      );
    }
    const paths = read.map(({ path }) => sqlText(escapePattern(path))).join(", ");
    const selected = format === "parquet" ? "*" : [...(first?.names ?? []), ...keys].map(sqlIdentifier).join(", ");
    return `SELECT ${selected} FROM ${reader}([${paths}], ${[...options, ...hive, ...more].join(", ")})`;
  });
  return scans.join(" UNION ALL ");
}

async function batchesOf(files: readonly ScannedFile[], format: FileFormat, declared: Declared): Promise<Batch[]> {
  // Its columns and their types are in the file itself.
  if (format === "parquet") return [{ files: [...files], reader: "read_parquet", options: [], names: [] }];
  const batches = new Map<string, Batch>();
  for (const file of files) {
    const read = format === "csv" ? await csv(file, declared) : await json(file, declared);
    if (read === undefined) continue;
    const { reader, options, names } = read;
    const key = options.join();
    const known = batches.get(key);
    if (known === undefined) batches.set(key, { files: [file], reader, options, names });
    else known.files.push(file);
  }
  const [first] = files;
  if (batches.size === 0 && first !== undefined) throw namesNoColumn(first);
  return [...batches.values()];
}

/** Undefined for a file without a byte, which has no rows. */
async function csv(file: ScannedFile, declared: Declared): Promise<Omit<Batch, "files"> | undefined> {
  const line = await firstLine(file.name, file.beginning());
  if (line === "" && (await isEmpty(file.beginning()))) return undefined;
  const header = readCsvHeader(line, new Set(declared.keys()));
  if (header === undefined) throw namesNoColumn(file);
  const columns = header.names.map((name): [string, string] => [
    name,
    declared.get(name.toLowerCase())?.type ?? "VARCHAR",
  ]);
  return {
    reader: "read_csv",
    names: header.names.filter((name) => declared.has(name.toLowerCase())),
    options: [
      "auto_detect = false",
      "header = true",
      `delim = ${sqlText(header.delimiter)}`,
      `quote = '"'`,
      `escape = '"'`,
      `columns = ${struct(columns)}`,
    ],
  };
}

function namesNoColumn({ name }: ScannedFile): ConnectorFailure {
  return new ConnectorFailure(
    "FILE_INVALID",
    `The first line of "${name}" names no column that the manifest declares.`,
    {
      hint: "While an access rule is active, a CSV file needs a header, and its columns the types that the manifest declares.",
    },
  );
}

async function json(file: ScannedFile, declared: Declared): Promise<Omit<Batch, "files">> {
  const columns = [...declared.values()].map(({ name, type }): [string, string] => [name, type]);
  if (columns.length === 0) {
    throw new ConnectorFailure("FILE_INVALID", `The manifest declares no column of "${file.name}".`, {
      hint: "While an access rule is active, a JSON file has the columns that the manifest declares, and no others.",
    });
  }
  return {
    reader: "read_json",
    names: columns.map(([name]) => name),
    options: [
      "auto_detect = false",
      // One record a line, or several lines for one: both are texts one after the other.
      `format = ${(await firstCharacter(file.beginning())) === "[" ? "'array'" : "'unstructured'"}`,
      "records = 'true'",
      `columns = ${struct(columns)}`,
    ],
  };
}

function typesOf(columns: readonly DeclaredColumn[], format: FileFormat): Declared {
  const types = new Map<string, { readonly name: string; readonly type: string }>();
  for (const { name, type } of columns) {
    const key = name.toLowerCase();
    const own = { name, type: readerType(type, format) };
    const known = types.get(key);
    if (known !== undefined && known.type !== own.type) {
      throw new ConnectorFailure("FILE_INVALID", `The manifest declares the column "${name}" with two types.`, {
        hint: "While an access rule is active, a file is read by the declared types: models over one file have to agree.",
      });
    }
    types.set(key, known ?? own);
  }
  return types;
}

/** How a reader of any format is told of the types of directories. Throws `FILE_INVALID`. */
export function declaredPartitions(
  files: readonly Pick<ScannedFile, "name">[],
  columns: readonly DeclaredColumn[],
): readonly string[] {
  return partitionsOf(files, typesOf(columns, "parquet")).options;
}

/** Names of directories called `key=value` below the root, and how a reader is told of their types. */
function partitionsOf(files: readonly Pick<ScannedFile, "name">[], types: Declared) {
  const keys = [...new Set(files.flatMap(({ name }) => keyedSteps(name).map(keyOf)))];
  const partitions = keys.map((key): [string, string] => [key, types.get(key.toLowerCase())?.type ?? "VARCHAR"]);
  const options =
    partitions.length === 0
      ? ["hive_partitioning = false"]
      : ["hive_partitioning = true", "hive_types_autocast = false", `hive_types = ${struct(partitions)}`];
  return { keys, options };
}

function struct(types: readonly (readonly [name: string, type: string])[]): string {
  return `{${types.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`).join(", ")}}`;
}
