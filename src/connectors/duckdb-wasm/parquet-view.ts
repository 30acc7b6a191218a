/** Parquet files under the name that a plan has for them: tables of the engine, and what stands for all of them. */
import { declaredPartitions } from "../duckdb/declared/scan.ts";
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import { type FileNeed, needWithin } from "../files/need.ts";
import type { Footer } from "../files/parquet/footer.ts";
import { keyedSteps, keyOf } from "../files/partitions.ts";
import { beyond, isStrange } from "./needs-sidecar.ts";
import { type ParquetPart, type ParquetTable, planTable } from "./parquet-table.ts";
import type { FoundFile, View } from "./view.ts";

/** A file with its footer. */
export interface ReadFooter {
  readonly name: string;
  readonly footer: Footer;
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

export interface ParquetView {
  /** Created and filled before the view. */
  readonly tables: readonly { readonly name: string; readonly table: ParquetTable }[];
  /** Names of files that tell what their directories are called, each with the number of its own in it. */
  readonly directories: ReadonlyMap<string, string>;
  /** Statements that come before the tables: the engine itself reads types off directories. */
  readonly before: readonly string[];
  /** What stands for the files. */
  readonly query: string;
}

/** Files whose rows may have a say in the answer; one in any case, whose columns are those of all. */
export function neededFiles(files: readonly FoundFile[], need: FileNeed): readonly FoundFile[] {
  const needed = files.filter(({ name }) => needWithin(need, name).uses.length > 0);
  return needed.length > 0 ? needed : files.slice(0, 1);
}

/** Every directory with rows is a branch of the view. */
const MOST_DIRECTORIES = 500;

/** `prefix`: of names of the engine. `names`: of all files, those without footers included, whose rows nobody needs. */
export function parquetView(
  files: readonly [ReadFooter, ...ReadFooter[]],
  names: readonly string[],
  { need, declared, jsonAsText }: Pick<View, "need" | "declared" | "jsonAsText">,
  prefix: string,
): ParquetView {
  const hive = partitionsOf(files, names, need);
  const own = hive === undefined ? need : withoutKeys(need, hive.keys);
  const part = ({ name, footer, read }: ReadFooter): ParquetPart => ({
    name,
    footer,
    need: needWithin(own, name),
    jsonAsText,
    read,
  });
  const [first, ...others] = files;
  if (hive === undefined) {
    const table = planTable([part(first), ...others.map(part)]);
    const name = `${prefix}-0`;
    return { tables: [{ name, table }], directories: new Map(), before: [], query: queryOf(name, table, []) };
  }
  const byDirectory = new Map<string, ReadFooter[]>();
  for (const file of files) {
    const directory = directoryOf(file.name);
    byDirectory.set(directory, [...(byDirectory.get(directory) ?? []), file]);
  }
  if (byDirectory.size > MOST_DIRECTORIES || hive.directories.length > 4 * MOST_DIRECTORIES) {
    throw beyond(first.name, `more than ${MOST_DIRECTORIES} directories`);
  }
  const listed = `${prefix}-directories`;
  const types = declared === undefined ? ["hive_partitioning = true"] : declaredPartitions(files, declared);
  const reader = "auto_detect = false, header = false, max_line_size = 4096, buffer_size = 8192";
  const numbers = new Map(hive.directories.map((directory, number) => [directory, number]));
  const contents = new Map(
    hive.directories.map((directory, number) => [`${prefix}/${directory}of.csv`, `${number}\n`] as const),
  );
  const paths = [...contents.keys()].map(sqlText).join(", ");
  const branches = [...byDirectory].map(([directory, [one, ...more]], index) => {
    const name = `${prefix}-${index}`;
    // The columns of the first file are those of all.
    const model = part(first);
    const parts = one === undefined ? [] : [one, ...more].map(part);
    const table = planTable([{ ...model, need: { ...model.need, uses: [] } }, ...parts]);
    const values = hive.keys.map(
      (key) =>
        `(SELECT ${sqlIdentifier(key)} FROM ${sqlIdentifier(listed)} WHERE siskin_number = ${numbers.get(directory)}) AS ${sqlIdentifier(key)}`,
    );
    return { name, table, query: queryOf(name, table, values) };
  });
  return {
    tables: branches,
    directories: contents,
    before: [
      `CREATE TABLE ${sqlIdentifier(listed)} AS SELECT * FROM read_csv([${paths}], ${types.join(", ")}, ${reader}, columns = {'siskin_number': 'INTEGER'})`,
    ],
    query: branches.map(({ query }) => query).join(" UNION ALL "),
  };
}

/** Of no columns, the rows are counted and nothing is kept. */
function queryOf(name: string, { columns, rows }: ParquetTable, more: readonly string[]): string {
  if (columns.length === 0) {
    return `SELECT ${["NULL AS siskin_none", ...more].join(", ")} FROM range(${rows})`;
  }
  const own = columns.map((column) => sqlIdentifier(column.name));
  return `SELECT ${[...own, ...more].join(", ")} FROM ${sqlIdentifier(name)}`;
}

interface Partitions {
  readonly keys: readonly string[];
  /** Of all files, each once, with a slash at the end. */
  readonly directories: readonly string[];
}

/** Undefined where no directory is called `key=value`, or nobody needs what they are called. */
function partitionsOf(files: readonly ReadFooter[], names: readonly string[], need: FileNeed): Partitions | undefined {
  const directories = [...new Set(names.map(directoryOf))];
  const keys = keysOf(directories.find((directory) => directory.includes("=")) ?? "");
  const all = directories.flatMap(keysOf);
  if (all.every((key) => need.columns !== undefined && !need.columns.has(key.toLowerCase()))) return undefined;
  const [odd] = names;
  const lower = keys.map((key) => key.toLowerCase());
  if (
    directories.some((directory) => keysOf(directory).join("/") !== keys.join("/")) ||
    new Set(lower).size < lower.length
  ) {
    throw beyond(odd ?? "", "directories that differ in their keys");
  }
  const strange = directories.find((directory) => directory.split("/").some(isStrange));
  if (strange !== undefined) throw beyond(strange, "the name of its directory");
  for (const { name, footer } of files) {
    if (footer.columns.some((column) => lower.includes(column.name.toLowerCase()))) {
      throw beyond(name, "a column that a directory is called by, too");
    }
  }
  return { keys, directories };
}

function withoutKeys({ columns, uses }: FileNeed, keys: readonly string[]): FileNeed {
  const left = columns && new Set([...columns].filter((column) => !keys.some((key) => key.toLowerCase() === column)));
  return { columns: left, uses };
}

function directoryOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function keysOf(directory: string): readonly string[] {
  return keyedSteps(directory).map(keyOf);
}
