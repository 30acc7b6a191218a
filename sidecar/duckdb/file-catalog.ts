/** The catalogue of a directory of files (contract §7.3): the top level of `url`, each entry described in the connection's format. */
import { fileTable, type RunQuery } from "../../src/connectors/catalog/duckdb.ts";
import { catalogMatcher } from "../../src/connectors/catalog/filter.ts";
import type { CatalogFilter, TableRecord } from "../../src/connectors/catalog/types.ts";
import type { FileFormat } from "../../src/connectors/connection/file-format.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import {
  isListed,
  isOfOneTable,
  listedFormat,
  listingFailure,
  tableName,
  tablePath,
} from "../../src/connectors/files/table-listing.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";
import { scanOf } from "./file-views.ts";

/** A table that may be one: whether its files can be read is seen when they are described. */
export interface Candidate {
  readonly name: string;
  /** As a manifest would write it. */
  readonly path: string;
  readonly files: readonly ConfinedFile[];
  readonly format: FileFormat;
}

/**
 * A file is a table under its name without extension, a directory one of all its files in the format. Files whose
 * extension tells another format are left out: a query would read them by that one, and find other columns.
 * Throws `FILE_INVALID` and `FILE_NOT_FOUND`.
 */
export async function tableCandidates(
  root: FileRoot,
  { url, format: written }: FileFields,
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
    if (files.length > 0) candidates.push({ name, path, files, format });
  }
  return candidates;
}

/** How a listing survives files that end the engine's process: who watches the process asks again without them. */
export interface DescribeWatch {
  /** Paths of tables to leave out. */
  readonly skipped: readonly string[];
  /** Told the path of the table that is looked at from now on. */
  readonly describing: (path: string) => void;
}

/** Unreadable files are skipped. Stops at `limit` tables. */
export async function describeCandidates(
  run: RunQuery,
  candidates: readonly Candidate[],
  limit: number | undefined,
  watch: DescribeWatch | undefined,
): Promise<TableRecord[]> {
  const tables: TableRecord[] = [];
  for (const { name, path, files, format } of candidates) {
    if (tables.length === limit) break;
    if (watch?.skipped.includes(path)) continue;
    watch?.describing(path);
    try {
      tables.push(fileTable(name, path, await run(`DESCRIBE ${scanOf(files, format)}`)));
    } catch (error) {
      // The end of the whole listing (time, caller gone) is no matter of one file.
      if (!isOfOneTable(error)) throw error;
    }
  }
  return tables;
}
