/** A view for every file that a plan reads, under the very name that its SQL uses: `"tpch/orders.parquet"`. */
import type { CsvOptions } from "../../src/connectors/connection/csv-options.ts";
import type { FileFormat } from "../../src/connectors/connection/file-format.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import { assertEncoding, csvOptions, inferringOptions } from "../../src/connectors/duckdb/csv-reading.ts";
import {
  type Described,
  declaredPartitions,
  declaredScan,
  type PlannedScan,
} from "../../src/connectors/duckdb/declared/scan.ts";
import { sqlIdentifier, sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { formatOf } from "../../src/connectors/files/formats.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import { needOf, ruledNeedOf } from "../../src/connectors/files/need.ts";
import { isPartitioned } from "../../src/connectors/files/partitions.ts";
import { SNIFFED_FILES } from "../../src/connectors/files/passed-over.ts";
import { filesRead } from "../../src/connectors/files/read-files.ts";
import type { ScanFilter, StatementRead } from "../../src/planner/plan.ts";
import type { SourceWarning } from "../../src/result/types.ts";
import type { Engine } from "./engine.ts";
import { beginningOf } from "./file-head.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";
import { type ParquetFiles, parquetScan } from "./parquet-scan.ts";
import { collectRows } from "./row-stream.ts";
import { scanCondition } from "./scan-condition.ts";
import { guardedColumns, guardedScan } from "./value-guards.ts";

export interface FileView {
  readonly name: string;
  readonly files: readonly ConfinedFile[];
  /** `SELECT * FROM read_parquet([…])`. */
  readonly query: PlannedScan["query"];
  /** Its columns are described before the query is known. */
  readonly inferring: PlannedScan["inferring"];
  readonly days?: PlannedScan["days"];
  readonly missing: PlannedScan["missing"];
  /** Options of DuckDB's reader of CSV that infers types. */
  readonly options: readonly string[];
  /** Text files with columns whose types DuckDB infers; undefined where all types are declared, or in the files. */
  readonly sniffed: "csv" | "json" | undefined;
  /** Conditions for its rows: present only where a rule's fence hides the condition from the engine and types are the file's own. */
  readonly filters: readonly ScanFilter[];
  /** Undefined for other formats. */
  readonly parquet: (ParquetFiles & { readonly changed: readonly string[] }) | undefined;
}

const READERS: Readonly<Record<FileFormat, string>> = {
  csv: "read_csv",
  json: "read_json",
  parquet: "read_parquet",
};

/**
 * Views for the reads that name a file. The connection's format is for names without a known extension. Fails with `FILE_NOT_FOUND` and `FILE_INVALID`.
 */
export async function fileViews(
  root: FileRoot,
  reads: readonly StatementRead[],
  { format: fallback, csv: ofConnection }: Pick<FileFields, "format" | "csv">,
  areRead: boolean,
): Promise<FileView[]> {
  const views: FileView[] = [];
  for (const [name, declared] of filesRead(reads)) {
    const files = await root.files(name);
    const format = formatOf(name, files[0]?.name, fallback);
    const scanned = files.map((file) => ({ ...file, beginning: () => beginningOf(file) }));
    const isDeclared = declared !== undefined && (declared.isRestricted || declared.columns.length > 0);
    const uses = reads.find(({ physical }) => physical?.table === name)?.scans;
    const need = ruledNeedOf(uses) ?? needOf(uses);
    if (format === "parquet") {
      const hive = isDeclared
        ? declaredPartitions(files, declared)
        : {
            options: [`hive_partitioning = ${files.some((file) => isPartitioned(file.name))}`],
            changed: new Map<string, string>(),
          };
      views.push({
        name,
        files,
        ...asFound(scanOf(files, format)),
        options: [],
        sniffed: undefined,
        filters: declared?.isRestricted === true ? filtersOf(name, reads) : [],
        parquet: {
          files,
          hive: hive.options,
          changed: [...hive.changed.values()],
          wanted: isDeclared ? { path: name, declared, need, areRead } : undefined,
        },
      });
      continue;
    }
    const csv = format === "csv" ? csvOptions(ofConnection, declared?.csv) : {};
    const { inferring, days, query, missing } = isDeclared
      ? await declaredScan(scanned, format, { path: name, declared, need, areRead }, { csv })
      : asFound(await inferredScan(files, format, csv));
    const isInferred = !isDeclared || inferring !== undefined;
    views.push({
      name,
      files,
      inferring,
      query,
      days,
      missing,
      options: inferringOptions(csv),
      sniffed: isInferred ? format : undefined,
      filters: [],
      parquet: undefined,
    });
  }
  return views;
}

/**
 * Only for a table that is used once: one use may need the rows that another leaves out. Under a row rule a caller's comparisons do
 * not count: they would decide which of the excluded rows are converted, and a value that does not convert is an error.
 */
function filtersOf(name: string, reads: readonly StatementRead[]): readonly ScanFilter[] {
  const [use, ...others] = reads.find(({ physical }) => physical?.table === name)?.scans ?? [];
  return use === undefined || others.length > 0 ? [] : (use.ruleFilters ?? use.filters);
}

export interface CreatedView {
  /** Values of the view's files have to be checked. */
  readonly isGuarded: boolean;
  readonly warnings: readonly SourceWarning[];
}

/** Rejects with the engine's failure, or with `COLUMN_NOT_FOUND`. */
export async function createView(engine: Engine, view: FileView): Promise<CreatedView> {
  const { query, ...created } = await queryOf(engine, view);
  await engine.run(`CREATE TEMPORARY VIEW ${sqlIdentifier(view.name)} AS ${query}`);
  return created;
}

async function queryOf(
  engine: Engine,
  { inferring, query, missing, filters, parquet }: FileView,
): Promise<CreatedView & { readonly query: string }> {
  if (parquet === undefined) {
    const inferred = inferring === undefined ? [] : await describe(engine, inferring);
    return { query: query(inferred), warnings: missing(inferred), isGuarded: false };
  }
  const { query: found, warnings } = await parquetScan(engine, parquet);
  const isReplaced = parquet.changed.length > 0;
  const scan = isReplaced ? `SELECT * REPLACE (${parquet.changed.join(", ")}) FROM (${found})` : found;
  const types = await describe(engine, scan);
  const condition =
    filters.length === 0
      ? undefined
      : scanCondition(filters, new Map(types.map(([column, type]) => [column.toLowerCase(), type])));
  const ruled = isReplaced ? `SELECT * FROM (${scan})` : scan;
  return {
    query: guardedScan(condition === undefined ? scan : `${ruled} WHERE ${condition}`, types),
    warnings,
    isGuarded: guardedColumns(types).length > 0,
  };
}

function asFound(scan: string): PlannedScan {
  return { inferring: undefined, query: () => scan, missing: () => [] };
}

/** Names and types of a query's columns. */
export async function describe(engine: Engine, query: string): Promise<Described> {
  const described = await collectRows(engine, `DESCRIBE ${query}`);
  return described.map(([column, type]) => [String(column), String(type)] as const);
}

/** `csv`: how CSV files are written. `more`: options of the reader. Rejects with `FILE_INVALID`. */
export async function inferredScan(
  files: readonly ConfinedFile[],
  format: FileFormat,
  csv: CsvOptions,
  more: readonly string[] = [],
): Promise<string> {
  if (format !== "csv") return scanOf(files, format, more);
  for (const file of files) await assertEncoding({ ...file, beginning: () => beginningOf(file) }, csv);
  return scanOf(files, format, [...inferringOptions(csv), ...more]);
}

function scanOf(files: readonly ConfinedFile[], format: FileFormat, options: readonly string[] = []): string {
  const paths = files.map(({ path }) => sqlText(escapePattern(path))).join(", ");
  // Columns from directories named `key=value`, but only from those below the root: the ones above are none of the data.
  const hasPartitions = files.some(({ name }) => isPartitioned(name));
  const sniffed = format === "json" ? `, maximum_sample_files = ${SNIFFED_FILES.json}` : "";
  return `SELECT * FROM ${READERS[format]}([${paths}], ${[`hive_partitioning = ${hasPartitions}`, ...options].join(", ")}${sniffed})`;
}

/** Paths that the engine must be allowed to open for a file: its path, and the pattern that finds it. */
export function grantsFor(files: readonly ConfinedFile[]): string[] {
  return [...new Set(files.flatMap(({ path }) => [path, escapePattern(path)]))];
}
