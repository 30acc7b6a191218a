/**
 * Files read by what the manifest says of them, and by nothing that is inferred from their rows: while an access rule is
 * active, the rows that it withholds would shape types, keys and values of those that it leaves (decisions S74).
 */
import type { FileFormat } from "../../src/connectors/connection/file-format.ts";
import { sqlIdentifier, sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import type { DeclaredColumn } from "../../src/planner/plan.ts";
import { readCsvHeader } from "./csv-header.ts";
import { readerType } from "./declared-types.ts";
import { firstCharacter, firstLine } from "./file-head.ts";
import type { ConfinedFile } from "./file-root.ts";

/** Files that one call of a reader takes. */
interface Batch {
  readonly files: ConfinedFile[];
  /** `read_json` and all its arguments behind the files. */
  readonly reader: string;
  readonly options: readonly string[];
  /** The names that declared columns have in the files. */
  readonly names: readonly string[];
}

/** Types by name, in lower case: DuckDB's names do not know case. */
type Declared = ReadonlyMap<string, { readonly name: string; readonly type: string }>;

/** A query over those declared columns that the files have. Fails with `FILE_INVALID`. */
export async function declaredScan(
  files: readonly ConfinedFile[],
  format: FileFormat,
  columns: readonly DeclaredColumn[],
): Promise<string> {
  const types = typesOf(columns, format);
  const keys = partitionKeys(files);
  const inPaths = new Set(keys.map((key) => key.toLowerCase()));
  const partitions = keys.map((key): [string, string] => [key, types.get(key.toLowerCase())?.type ?? "VARCHAR"]);
  const declared = new Map([...types].filter(([name]) => !inPaths.has(name)));
  const hive =
    partitions.length === 0
      ? ["hive_partitioning = false"]
      : ["hive_partitioning = true", "hive_types_autocast = false", `hive_types = ${struct(partitions)}`];
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
    return `SELECT ${selected} FROM ${reader}([${paths}], ${[...options, ...hive].join(", ")})`;
  });
  return scans.join(" UNION ALL ");
}

async function batchesOf(files: readonly ConfinedFile[], format: FileFormat, declared: Declared): Promise<Batch[]> {
  // Its columns and their types are in the file itself.
  if (format === "parquet") return [{ files: [...files], reader: "read_parquet", options: [], names: [] }];
  const batches = new Map<string, Batch>();
  for (const file of files) {
    const { reader, options, names } = format === "csv" ? await csv(file, declared) : await json(file, declared);
    const key = options.join();
    const known = batches.get(key);
    if (known === undefined) batches.set(key, { files: [file], reader, options, names });
    else known.files.push(file);
  }
  return [...batches.values()];
}

async function csv(file: ConfinedFile, declared: Declared): Promise<Omit<Batch, "files">> {
  const header = readCsvHeader(await firstLine(file), new Set(declared.keys()));
  if (header === undefined) {
    throw new ConnectorFailure(
      "FILE_INVALID",
      `The first line of "${file.name}" names no column that the manifest declares.`,
      {
        hint: "While an access rule is active, a CSV file needs a header, and its columns the types that the manifest declares.",
      },
    );
  }
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

async function json(file: ConfinedFile, declared: Declared): Promise<Omit<Batch, "files">> {
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
      `format = ${(await firstCharacter(file)) === "[" ? "'array'" : "'unstructured'"}`,
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

/** Names of directories called `key=value` below the root. */
function partitionKeys(files: readonly ConfinedFile[]): readonly string[] {
  const steps = files.flatMap(({ name }) => name.split("/").slice(0, -1));
  return [...new Set(steps.flatMap((step) => (step.includes("=") ? [step.slice(0, step.indexOf("="))] : [])))];
}

function struct(types: readonly (readonly [name: string, type: string])[]): string {
  return `{${types.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`).join(", ")}}`;
}
