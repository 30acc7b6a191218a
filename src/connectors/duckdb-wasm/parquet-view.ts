/** Parquet files under their name in a plan: tables of the engine, and a view over all of them. */
import type { SourceWarning } from "../../result/types.ts";
import { missingColumns } from "../duckdb/declared/missing-columns.ts";
import { declaredPartitions, typesOf } from "../duckdb/declared/scan.ts";
import { sqlIdentifier } from "../duckdb/sql-text.ts";
import { type FileNeed, needWithin } from "../files/need.ts";
import type { Footer } from "../files/parquet/footer.ts";
import { keyedSteps, keyOf } from "../files/partitions.ts";
import { beyond } from "./needs-sidecar.ts";
import { type ParquetPart, type ParquetTable, planTable } from "./parquet-table.ts";
import { assertApart, byDirectory, OWN_TYPES, partitionColumns } from "./partition-columns.ts";
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
  /** Files with the names of the directories, each containing the directory's number. */
  readonly directories: ReadonlyMap<string, string>;
  /** Statements that run before the tables are created: the engine infers types from directory names. */
  readonly before: readonly string[];
  /** The query of the view. */
  readonly query: string;
  /** About declared columns that files lack. */
  readonly warnings: readonly SourceWarning[];
}

/** Files whose rows may affect the answer; always at least one, because the first file defines the columns. */
export function neededFiles(files: readonly FoundFile[], need: FileNeed): readonly FoundFile[] {
  const needed = files.filter(({ name }) => needWithin(need, name).uses.length > 0);
  return needed.length > 0 ? needed : files.slice(0, 1);
}

/** `prefix`: of the engine's names. `names`: names of all files, including those without footers, whose rows are not needed. */
export function parquetView(
  files: readonly [ReadFooter, ...ReadFooter[]],
  names: readonly string[],
  { name: path, need, declared, areRead, jsonAsText }: Omit<View, "files" | "format" | "csv">,
  prefix: string,
): ParquetView {
  const types =
    declared === undefined
      ? OWN_TYPES
      : declaredPartitions(
          names.map((name) => ({ name })),
          declared,
        );
  const hive = partitionColumns(names, need, types, prefix);
  if (hive !== undefined) {
    for (const { name, footer } of files)
      assertApart(
        hive,
        name,
        footer.columns.map((column) => column.name),
      );
  }
  const own = hive === undefined ? need : withoutKeys(need, hive.keys);
  const part = ({ name, footer, read }: ReadFooter): ParquetPart => ({
    name,
    footer,
    need: needWithin(own, name),
    jsonAsText,
    read,
  });
  const [first, ...others] = files;
  const warnings =
    declared === undefined
      ? []
      : missingColumns(
          { path, declared, need, names, areRead, keys: names.flatMap((name) => keyedSteps(name).map(keyOf)) },
          files.map(({ name, footer }) => ({ name, columns: footer.columns.map((column) => column.name) })),
        );
  const nulls = nullColumns(files, need, declared, hive?.keys ?? []);
  if (hive === undefined) {
    const table = planTable([part(first), ...others.map(part)]);
    const name = `${prefix}-0`;
    return {
      tables: [{ name, table }],
      directories: new Map(),
      before: [],
      query: queryOf(name, table, nulls),
      warnings,
    };
  }
  const branches = [...byDirectory(files)].map(([directory, inside], index) => {
    const name = `${prefix}-${index}`;
    // The first file defines the columns of all.
    const model = part(first);
    const table = planTable([{ ...model, need: { ...model.need, uses: [] } }, ...inside.map(part)]);
    return { name, table, query: queryOf(name, table, [...nulls, ...hive.valuesIn(directory)]) };
  });
  return {
    tables: branches,
    directories: hive.files,
    before: [hive.before],
    query: branches.map(({ query }) => query).join(" UNION ALL "),
    warnings,
  };
}

/** Without columns, the rows are only counted. */
function queryOf(name: string, { columns, rows }: ParquetTable, more: readonly string[]): string {
  if (columns.length === 0) {
    return `SELECT ${["NULL AS siskin_none", ...more].join(", ")} FROM range(${rows})`;
  }
  const own = columns.map((column) => sqlIdentifier(column.name));
  return `SELECT ${[...own, ...more].join(", ")} FROM ${sqlIdentifier(name)}`;
}

function withoutKeys({ columns, uses }: FileNeed, keys: readonly string[]): FileNeed {
  const left = columns && new Set([...columns].filter((column) => !keys.some((key) => key.toLowerCase() === column)));
  return { columns: left, uses };
}

/**
 * Declared columns that no file has, as items of a SELECT. Throws `NEEDS_SIDECAR` where the first file lacks a column that another
 * one has.
 */
function nullColumns(
  files: readonly [ReadFooter, ...ReadFooter[]],
  { columns }: FileNeed,
  declared: View["declared"],
  keys: readonly string[],
): readonly string[] {
  if (declared === undefined) return [];
  const [first, ...others] = files.map(({ name, footer }) => ({
    name,
    columns: new Set(footer.columns.map((column) => column.name.toLowerCase())),
  }));
  const inPaths = new Set(keys.map((key) => key.toLowerCase()));
  const missing = [...typesOf(declared, "parquet")].filter(
    ([key]) => (columns === undefined || columns.has(key)) && !inPaths.has(key) && first?.columns.has(key) !== true,
  );
  return missing.map(([key, { name, type }]) => {
    const other = others.find((file) => file.columns.has(key));
    if (other !== undefined) throw beyond(other.name, `its column "${name}", which "${first?.name}" lacks`);
    return `CAST(NULL AS ${type}) AS ${sqlIdentifier(name)}`;
  });
}
