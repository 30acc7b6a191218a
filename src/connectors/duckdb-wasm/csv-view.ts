/** CSV files under the name that a plan has for them: the engine's own reader, over ranges of them. */
import { assertEncoding, csvOptions, inferringOptions } from "../duckdb/csv-reading.ts";
import { declaredScan, type PlannedScan, type ScannedFile } from "../duckdb/declared/scan.ts";
import { sqlText } from "../duckdb/sql-text.ts";
import { SCHEMA } from "../files/need.ts";
import { packingOf } from "../files/packed/unpacked.ts";
import { isPartitioned, keyedSteps } from "../files/partitions.ts";
import { areNeeded } from "../files/passed-over.ts";
import { beginningOf, PlainFile, Unpacking, wholeLength } from "./file-bytes.ts";
import type { EngineFile } from "./instance.ts";
import { beyond, isStrange, tooMuch } from "./needs-sidecar.ts";
import { fetchSmall } from "./small-objects.ts";
import type { FoundFile, View } from "./view.ts";

/** A CSV reader holds several buffers at once. */
const CSV_OPTION = `buffer_size = ${2 * 1024 * 1024}`;

/**
 * The engine reads ahead, twice as far with each read that follows the one before, up to 16 MiB: a caller who leaves would wait for it,
 * and the isolate would hold it beside the engine's copy.
 */
const MOST_READ_BYTES = 4 * 1024 * 1024;

/** Replaces a file that is skipped. */
const EMPTY: EngineFile = { size: 0, read: () => new Uint8Array() };

export interface CsvView {
  /** The shown name and the file, by the name that the engine has for it. */
  readonly files: ReadonlyMap<string, { readonly shown: string; readonly file: EngineFile }>;
  /** A query whose columns are described before `query` is known; undefined where the statement needs no inferred column. */
  readonly inferring: PlannedScan["inferring"];
  readonly query: PlannedScan["query"];
  readonly days: PlannedScan["days"];
  readonly missing: PlannedScan["missing"];
  /** Options of the engine's reader that infers types. */
  readonly options: readonly string[];
  /** Whether the engine infers types of columns from the rows. */
  readonly isSniffed: boolean;
}

/** Maximum size of all files of a statement as stored: compressed data takes many times its size, and one isolate reads it. */
const MOST_CSV_BYTES = 128 * 1024 * 1024;
const MOST_PACKED_BYTES = 64 * 1024 * 1024;

function assertRoom(files: readonly FoundFile[]): void {
  const sizeOf = (of: readonly FoundFile[]): number => of.reduce((sum, { size }) => sum + size, 0);
  const [all, packed] = [sizeOf(files), sizeOf(files.filter(({ name }) => packingOf(name) !== undefined))];
  if (all > MOST_CSV_BYTES) throw tooMuch(`${all} bytes of CSV, and one may read ${MOST_CSV_BYTES}`);
  if (packed > MOST_PACKED_BYTES) throw tooMuch(`${packed} bytes of packed CSV, and one may read ${MOST_PACKED_BYTES}`);
}

/**
 * `prefix`: of the engine's names. Rejects with `ConnectorFailure`: `NEEDS_SIDECAR` for directory names with unsupported
 * characters.
 */
export async function csvView(
  { name: path, files, declared, need, areRead, unitesFiles, csv: ofConnection }: Omit<View, "format" | "jsonAsText">,
  prefix: string,
  signal: AbortSignal,
): Promise<CsvView> {
  const csv = csvOptions(ofConnection, declared?.csv);
  const needed = areNeeded(files, "csv", areRead ? need : SCHEMA, declared?.isRestricted === true);
  if (areRead) {
    const read = files.filter((_, index) => needed[index]);
    assertRoom(read);
    await fetchSmall(read, signal);
  }
  const unpacking = new Unpacking();
  const engineFile = async (file: FoundFile): Promise<EngineFile> => {
    const packing = packingOf(file.name);
    // The engine decompresses gzip. Zstandard must be decompressed first, because its length is not known in advance.
    if (packing === "zstd") return new PlainFile(file, await wholeLength(file, signal), unpacking, signal);
    if (packing === "gzip" && areRead) await wholeLength(file, signal);
    return {
      size: file.size,
      read: (start, length) => file.read(start, start + Math.min(length, MOST_READ_BYTES), signal),
    };
  };
  const scanned: (ScannedFile & { readonly file: EngineFile })[] = [];
  for (const [number, found] of files.entries()) {
    const { name } = found;
    if (needed[number] === true) {
      const path = pathOf(found, `${prefix}-${number}.csv${packingOf(name) === "gzip" ? ".gz" : ""}`);
      scanned.push({
        path,
        name,
        size: found.size,
        file: await engineFile(found),
        beginning: () => beginningOf(found, signal),
      });
    } else {
      const path = pathOf(found, `${prefix}-${number}.csv`);
      scanned.push({ path, name, size: 0, file: EMPTY, beginning: async function* () {} });
    }
  }
  const named = new Map(scanned.map(({ path, name, file }) => [path, { shown: name, file }] as const));
  if (declared !== undefined && (declared.isRestricted || declared.columns.length > 0)) {
    const options = [...inferringOptions(csv), CSV_OPTION];
    const scan = await declaredScan(scanned, "csv", { path, declared, need, areRead }, { more: [CSV_OPTION], csv });
    return { files: named, days: undefined, ...scan, isSniffed: scan.inferring !== undefined, options };
  }
  const paths = scanned.map(({ path }) => sqlText(path)).join(", ");
  const hive = `hive_partitioning = ${files.some(({ name }) => isPartitioned(name))}`;
  for (const file of scanned) if (file.size > 0) await assertEncoding(file, csv);
  const options = [...inferringOptions(csv), CSV_OPTION];
  const united = unitesFiles === true ? ["union_by_name = true"] : [];
  const query = `SELECT * FROM read_csv([${paths}], ${[hive, ...options, ...united].join(", ")})`;
  const missing = (): readonly [] => [];
  return { files: named, inferring: undefined, days: undefined, query: () => query, missing, isSniffed: true, options };
}

/**
 * The engine's path of a file: a generated name, because callers' names may be patterns, below the directories with column
 * values, which the engine reads from the path.
 */
function pathOf({ name }: FoundFile, own: string): string {
  const steps = keyedSteps(name);
  if (steps.some(isStrange)) throw beyond(name, "the name of its directory");
  return [...steps, own].join("/");
}
