/**
 * A folder of files as a catalogue (docs/spec/contract.md#metadata-of-files): each of its top-level entries is a table in the
 * connection's format.
 */
import { catalogMatcher } from "../catalog/filter.ts";
import type { CatalogAnswers, CatalogFilter, CatalogRequest, TableRecord } from "../catalog/types.ts";
import { type FileFormat, isFileFormat } from "../connection/file-format.ts";
import type { FileFields } from "../connection/local-file.ts";
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { formatOfName } from "./formats.ts";
import type { CommonPrefix, ObjectStore, StoredObject } from "./object-store.ts";
import { SNIFFED_FILES } from "./passed-over.ts";
import { allEntries, folderPrefix } from "./paths.ts";

const FILES_VERSION = "Local File System";

/** The catalogue of file sources, which only have tables. */
export async function answerOfFiles(
  request: CatalogRequest,
  tables: (request: Extract<CatalogRequest, { kind: "tables" }>) => Promise<readonly TableRecord[]>,
): Promise<CatalogAnswers[CatalogRequest["kind"]]> {
  switch (request.kind) {
    case "tables":
      return tables(request);
    case "constraints":
    case "schemas":
      return [];
    case "version":
      return FILES_VERSION;
    default:
      return request satisfies never;
  }
}

/** A direct entry of the listed folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "directory";
}

/** A possible table: whether its files can be read shows when they are described. */
export interface ObjectTable {
  readonly name: string;
  /** The path as in a manifest. */
  readonly path: string;
  /** The files that determine its columns: at least one. */
  readonly objects: readonly StoredObject[];
}

/** `sales.2024.parquet` → `sales.2024`. */
export function tableName({ name, kind }: FolderEntry): string {
  const dot = name.lastIndexOf(".");
  return kind === "file" && dot > 0 ? name.slice(0, dot) : name;
}

/** A directory is a table of all its files in the format. `url` is that of the connection. */
export function tablePath(url: string, { name, kind }: FolderEntry, format: FileFormat): string {
  return `${url.replace(/(?<!\/)\/+$/, "")}/${name}${kind === "directory" ? `/*.${format}` : ""}`;
}

/** Omits files whose extension names another format: a query would read them in that format, and find other columns. */
export function isListed({ name, kind }: FolderEntry, format: FileFormat): boolean {
  return kind === "directory" || (formatOfName(name) ?? format) === format;
}

/** Throws `FILE_INVALID`. */
export function listedFormat(format: string): FileFormat {
  if (!isFileFormat(format)) throw listingFailure(`Unsupported format: ${format}`);
  return format;
}

/** The message that clients match (docs/spec/contract.md#outcomes). */
export function listingFailure(why: string, cause?: ConnectorFailure): ConnectorFailure {
  const details = { cause, ...(cause?.hint !== undefined && { hint: cause.hint }) };
  return new ConnectorFailure(cause?.reason ?? "FILE_INVALID", `Failed to list files: ${why}`, details);
}

const UNREADABLE: ReadonlySet<FailureReason> = new Set([
  "SOURCE_ERROR",
  "SOURCE_OUT_OF_MEMORY",
  "SOURCE_INVALID_SQL",
  "FILE_NOT_FOUND",
  "FILE_INVALID",
]);

/** Whether the failure concerns only the described table, which is then omitted. */
export function isOfOneTable(error: unknown): boolean {
  return error instanceof ConnectorFailure && UNREADABLE.has(error.reason);
}

/**
 * Parquet files of a folder whose columns are united, and of all folders of a listing: each costs a request for its footer. Of larger
 * folders, and of all beyond, the first file gives the columns.
 */
const UNITED_FILES = { perTable: 16, perListing: 200 } as const;

/** Tables of the connection's folder in a store. `isThere`: whether the folder is a prefix of keys, and not the bucket itself. */
export async function objectTables(
  store: ObjectStore,
  { url, format }: { readonly url: FileFields["url"]; readonly format: FileFormat },
  filter: CatalogFilter,
  signal: AbortSignal,
): Promise<{ readonly tables: readonly ObjectTable[]; readonly folder: string | undefined }> {
  const prefix = folderPrefix(store.root, url);
  const entries = await topLevel(store, prefix, signal);
  const matches = catalogMatcher(filter);
  const tables: ObjectTable[] = [];
  let left: number = UNITED_FILES.perListing;
  // Stores list folders after files.
  for (const found of entries.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))) {
    const isFolder = "prefix" in found;
    const name = pathOf(found).slice(prefix.length);
    const entry: FolderEntry = { name, kind: isFolder ? "directory" : "file" };
    if (name === "" || name.startsWith(".") || !matches({ table: tableName(entry) }) || !isListed(entry, format))
      continue;
    const inside = isFolder ? await filesIn(store, found.prefix, format, signal) : [found];
    const isUnited = format === "parquet" && inside.length <= Math.min(UNITED_FILES.perTable, left);
    const objects = isUnited ? inside : inside.slice(0, SNIFFED_FILES[format]);
    if (isUnited) left -= objects.length;
    if (objects.length > 0) tables.push({ name: tableName(entry), path: tablePath(url, entry, format), objects });
  }
  return { tables, folder: prefix !== "" && entries.length > 0 ? prefix.slice(0, -1) : undefined };
}

const pathOf = (found: StoredObject | CommonPrefix): string =>
  "prefix" in found ? found.prefix.slice(0, -1) : found.key;

async function filesIn(
  store: ObjectStore,
  prefix: string,
  format: FileFormat,
  signal: AbortSignal,
): Promise<readonly StoredObject[]> {
  const isOfTable = ({ key }: StoredObject): boolean => {
    const name = key.slice(prefix.length);
    return !name.startsWith(".") && name.endsWith(`.${format}`);
  };
  const entries = await topLevel(store, prefix, signal);
  return entries
    .filter((entry): entry is StoredObject => "key" in entry && isOfTable(entry))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** All direct entries below a prefix. Rejects with `FILE_INVALID` if there are too many. */
export function topLevel(store: ObjectStore, prefix: string, signal: AbortSignal) {
  return allEntries(store.list(prefix, { signal, delimiter: "/" }), `${store.root}${prefix}`);
}
