/**
 * The catalogue of a directory of files (docs/spec/contract.md#metadata-of-files): the top level of `url`, with each entry
 * described in the connection's format.
 */
import { fileTable, type RunQuery } from "../../src/connectors/catalog/duckdb.ts";
import { catalogMatcher } from "../../src/connectors/catalog/filter.ts";
import type { CatalogFilter, TableRecord } from "../../src/connectors/catalog/types.ts";
import type { CsvOptions } from "../../src/connectors/connection/csv-options.ts";
import type { FileFormat } from "../../src/connectors/connection/file-format.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import { csvOptions } from "../../src/connectors/duckdb/csv-reading.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import {
  isListed,
  isOfOneTable,
  listedFormat,
  listingFailure,
  tableName,
  tablePath,
} from "../../src/connectors/files/table-listing.ts";
import type { Row } from "../../src/result/types.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";
import { inferredScan } from "./file-views.ts";

/** A possible table: whether its files can be read shows when they are described. */
export interface Candidate {
  readonly name: string;
  /** The path as in a manifest. */
  readonly path: string;
  readonly files: readonly ConfinedFile[];
  readonly format: FileFormat;
  readonly csv: CsvOptions;
}

/**
 * A file is a table with its name without extension; a directory is one table of all its files in the format. Files whose
 * extension names another format are omitted: a query would read them in that format, and find other columns. Throws
 * `FILE_INVALID` and `FILE_NOT_FOUND`.
 */
export async function tableCandidates(
  root: FileRoot,
  { url, format: written, csv }: FileFields,
  filter: CatalogFilter,
): Promise<Candidate[]> {
  const format = listedFormat(written);
  const entries = await root.list(url).catch((error: unknown) => {
    throw error instanceof ConnectorFailure ? listingFailure(error.message, error) : error;
  });
  const matches = catalogMatcher(filter);
  const candidates: Candidate[] = [];
  for (const entry of entries) {
    const name = tableName(entry);
    if (!matches({ table: name }) || !isListed(entry, format)) continue;
    const path = tablePath(url, entry, format);
    const files = await root.files(path).catch((): ConfinedFile[] => []);
    if (files.length > 0) candidates.push({ name, path, files, format, csv: csvOptions(csv) });
  }
  return candidates;
}

/**
 * Lets a listing survive files that crash the engine's process: the code that watches the process repeats the listing without
 * them.
 */
export interface DescribeWatch {
  /** Paths of tables to omit. */
  readonly skipped: readonly string[];
  /** Called with the path of the table that is described next. */
  readonly describing: (path: string) => void;
}

/** Maximum files of a directory whose columns are united. Each of them is opened; of larger directories only the first file is. */
const UNITED_FILES = 100;

/** DuckDB takes the columns of JSON from several files by itself, those of other formats from the first one. */
async function describeTable(run: RunQuery, { files, format, csv }: Candidate): Promise<readonly Row[]> {
  if (format !== "json" && files.length > 1 && files.length <= UNITED_FILES) {
    try {
      return await run(`DESCRIBE ${await inferredScan(files, format, csv, ["union_by_name = true"])}`);
    } catch (error) {
      // Columns of one name may have types that have none in common.
      if (!isOfOneTable(error)) throw error;
    }
  }
  return await run(`DESCRIBE ${await inferredScan(files, format, csv)}`);
}

/** Unreadable files are skipped. Stops at `limit` tables. */
export async function describeCandidates(
  run: RunQuery,
  candidates: readonly Candidate[],
  limit: number | undefined,
  watch: DescribeWatch | undefined,
): Promise<TableRecord[]> {
  const tables: TableRecord[] = [];
  for (const candidate of candidates) {
    const { name, path } = candidate;
    if (tables.length === limit) break;
    if (watch?.skipped.includes(path)) continue;
    watch?.describing(path);
    try {
      tables.push(fileTable(name, path, await describeTable(run, candidate)));
    } catch (error) {
      // A failure of the whole listing (time-out, disconnect) does not concern one file.
      if (!isOfOneTable(error)) throw error;
    }
  }
  return tables;
}
