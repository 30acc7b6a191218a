/** Directories named `key=value` as columns of the files in them: the engine itself infers types and values from the names. */
import type { PartitionReading } from "../duckdb/declared/scan.ts";
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import type { FileNeed } from "../files/need.ts";
import { keyedSteps, keyOf } from "../files/partitions.ts";
import { beyond, isStrange } from "./needs-sidecar.ts";

export interface PartitionColumns {
  readonly keys: readonly string[];
  /** Files with the names of the directories, each containing the directory's number. */
  readonly files: ReadonlyMap<string, string>;
  /** The statement that reads them. */
  readonly before: string;
  /** Values of a directory, as items of a SELECT. */
  readonly valuesIn: (directory: string) => readonly string[];
}

/** Maximum number of directories: each directory with rows is a branch of the view. */
const MOST_DIRECTORIES = 500;
const READER = "auto_detect = false, header = false, max_line_size = 4096, buffer_size = 8192";
export const OWN_TYPES: PartitionReading = { options: ["hive_partitioning = true"], changed: new Map() };

/**
 * Partition columns of files with these names; undefined if no directory has such a name, or its value is not needed. `types`:
 * options of a reader. `prefix`: of the engine's names. Throws `NEEDS_SIDECAR` for directory names with unsupported characters.
 */
export function partitionColumns(
  names: readonly string[],
  need: FileNeed,
  { options, changed }: PartitionReading,
  prefix: string,
): PartitionColumns | undefined {
  const directories = [...new Set(names.map(directoryOf))];
  const keys = keysOf(directories.find((directory) => directory.includes("=")) ?? "");
  const all = directories.flatMap(keysOf);
  if (all.every((key) => need.columns !== undefined && !need.columns.has(key.toLowerCase()))) return undefined;
  const [odd = ""] = names;
  const isOfOthers = directories.some((directory) => keysOf(directory).join("/") !== keys.join("/"));
  if (isOfOthers || new Set(keys.map((key) => key.toLowerCase())).size < keys.length) {
    throw beyond(odd, "directories that differ in their keys");
  }
  const strange = directories.find((directory) => directory.split("/").some(isStrange));
  if (strange !== undefined) throw beyond(strange, "the name of its directory");
  if (directories.length > 4 * MOST_DIRECTORIES) throw tooMany(odd);
  const listed = sqlIdentifier(`${prefix}-directories`);
  const files = new Map(
    directories.map((directory, number) => [`${prefix}/${directory}of.csv`, `${number}\n`] as const),
  );
  const paths = [...files.keys()].map(sqlText).join(", ");
  const numbers = new Map(directories.map((directory, number) => [directory, number]));
  return {
    keys,
    files,
    before: `CREATE TABLE ${listed} AS SELECT * FROM read_csv([${paths}], ${options.join(", ")}, ${READER}, columns = {'siskin_number': 'INTEGER'})`,
    valuesIn: (directory) =>
      keys.map((key) => {
        const value = changed.get(key) ?? sqlIdentifier(key);
        return `(SELECT ${value} FROM ${listed} WHERE siskin_number = ${numbers.get(directory)}) AS ${sqlIdentifier(key)}`;
      }),
  };
}

/** Groups files by directory, in order. Throws `NEEDS_SIDECAR` if there are more directories than the view may have branches. */
export function byDirectory<T extends { readonly name: string }>(
  files: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const file of files) {
    const directory = directoryOf(file.name);
    const known = found.get(directory);
    if (known === undefined) found.set(directory, [file]);
    else known.push(file);
  }
  if (found.size > MOST_DIRECTORIES) throw tooMany(files[0]?.name ?? "");
  return found;
}

/** Throws `NEEDS_SIDECAR` if a file's column has the name of a directory's key. */
export function assertApart({ keys }: PartitionColumns, name: string, columns: readonly string[]): void {
  const lower = new Set(keys.map((key) => key.toLowerCase()));
  if (columns.some((column) => lower.has(column.toLowerCase()))) {
    throw beyond(name, "a column that a directory is called by, too");
  }
}

const tooMany = (name: string) => beyond(name, `more than ${MOST_DIRECTORIES} directories`);

function directoryOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function keysOf(directory: string): readonly string[] {
  return keyedSteps(directory).map(keyOf);
}
