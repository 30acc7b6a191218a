/** A view for every file that a plan reads, under the very name that its SQL uses: `"tpch/orders.parquet"`. */
import { FILE_FORMATS, type FileFormat, isFileFormat } from "../../src/connectors/connection/file-format.ts";
import { sqlIdentifier, sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import type { DeclaredColumn, PlanRead } from "../../src/planner/plan.ts";
import { declaredScan } from "./declared-scan.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";

export interface FileView {
  readonly name: string;
  readonly files: readonly ConfinedFile[];
  /** `SELECT * FROM read_parquet([…])`. */
  readonly scan: string;
}

const READERS: Readonly<Record<FileFormat, string>> = {
  csv: "read_csv",
  json: "read_json",
  parquet: "read_parquet",
};

const EXTENSIONS: ReadonlyMap<string, FileFormat> = new Map([
  ["csv", "csv"],
  ["tsv", "csv"],
  ["json", "json"],
  ["jsonl", "json"],
  ["ndjson", "json"],
  ["parquet", "parquet"],
  ["pq", "parquet"],
]);

/** By the extension, also of a compressed file (`a.csv.gz`); undefined when it says nothing. */
export function formatOfName(path: string): FileFormat | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const [, extension] = /\.([a-z]+)(?:\.(?:gz|zst))?$/.exec(name) ?? [];
  return extension === undefined ? undefined : EXTENSIONS.get(extension);
}

/**
 * Views for the reads that name a file. `fallback` is the connection's format, for names without a telling extension.
 * Fails with `FILE_NOT_FOUND` and `FILE_INVALID`.
 */
export async function fileViews(root: FileRoot, reads: readonly PlanRead[], fallback: string): Promise<FileView[]> {
  const views: FileView[] = [];
  for (const [name, declared] of filesOf(reads)) {
    const files = await root.files(name);
    const format = formatOf(name, files, fallback);
    const scan = declared === undefined ? scanOf(files, format) : await declaredScan(files, format, declared);
    views.push({ name, files, scan });
  }
  return views;
}

/** The files by the names that the statement has for them, each with all that the manifest declares of it. */
function filesOf(reads: readonly PlanRead[]): ReadonlyMap<string, readonly DeclaredColumn[] | undefined> {
  const files = new Map<string, readonly DeclaredColumn[] | undefined>();
  const names = new Map<string, string>();
  for (const { physical, declared } of reads) {
    if (physical === undefined) continue;
    const name = physical.table;
    if (physical.schema || physical.catalog) {
      const hint = "Remove catalog and schema from the model's tableReference.";
      throw new ConnectorFailure("FILE_INVALID", `The file "${name}" is addressed by its path alone.`, { hint });
    }
    // DuckDB's names do not know case, quoted or not; on most file systems A.csv and a.csv are two files.
    const key = name.toLowerCase();
    const other = names.get(key);
    if (other !== undefined && other !== name) {
      throw new ConnectorFailure("FILE_INVALID", `"${other}" and "${name}" differ only in case.`, {
        hint: "Rename one of the files, or read both through a pattern.",
      });
    }
    names.set(key, name);
    const known = files.get(name);
    files.set(name, known === undefined || declared === undefined ? (known ?? declared) : [...known, ...declared]);
  }
  return files;
}

export function createView({ name, scan }: FileView): string {
  return `CREATE TEMPORARY VIEW ${sqlIdentifier(name)} AS ${scan}`;
}

export function scanOf(files: readonly ConfinedFile[], format: FileFormat): string {
  const paths = files.map(({ path }) => sqlText(escapePattern(path))).join(", ");
  // Columns from directories named `key=value`, but only from those below the root: the ones above are none of the data.
  const isPartitioned = files.some(({ name }) => name.slice(0, name.lastIndexOf("/") + 1).includes("="));
  return `SELECT * FROM ${READERS[format]}([${paths}], hive_partitioning = ${isPartitioned})`;
}

/** What the engine must be allowed to open for a file: its path, and the pattern that the path is asked for by. */
export function grantsFor(files: readonly ConfinedFile[]): string[] {
  return [...new Set(files.flatMap(({ path }) => [path, escapePattern(path)]))];
}

function formatOf(name: string, files: readonly ConfinedFile[], fallback: string): FileFormat {
  const format = formatOfName(name) ?? formatOfName(files[0]?.name ?? "") ?? fallback;
  if (isFileFormat(format)) return format;
  const hint = `Known formats are ${FILE_FORMATS.join(", ")}.`;
  throw new ConnectorFailure("FILE_INVALID", `Unsupported format: ${format}`, { hint });
}
