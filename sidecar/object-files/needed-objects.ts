/** Selects the objects of a store that a call needs, and the parts of them. */
import type { CatalogRequest } from "../../src/connectors/catalog/types.ts";
import { type FileFormat, isFileFormat } from "../../src/connectors/connection/file-format.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { formatOf } from "../../src/connectors/files/formats.ts";
import { bothNeeds, type FileNeed, needOf, needWithin, ruledNeedOf, SCHEMA } from "../../src/connectors/files/need.ts";
import type { ObjectStore, StoredObject } from "../../src/connectors/files/object-store.ts";
import { areNeeded } from "../../src/connectors/files/passed-over.ts";
import { folderPrefix, objectsAt } from "../../src/connectors/files/paths.ts";
import { filesRead } from "../../src/connectors/files/read-files.ts";
import { objectTables, topLevel } from "../../src/connectors/files/table-listing.ts";
import type { ConnectorCall } from "../../src/connectors/remote/protocol.ts";
import type { Wanted } from "./fetched-files.ts";

export interface Needs {
  readonly wanted: readonly Wanted[];
  /** Keys of existing folders whose objects are not needed. */
  readonly folders: readonly string[];
}

/** Fails with `ConnectorFailure`, or with the signal's reason. */
export async function neededObjects(
  store: ObjectStore,
  connection: FileFields,
  call: ConnectorCall,
  signal: AbortSignal,
): Promise<Needs> {
  if (connection.format === "duckdb") return databases(store, connection, signal);
  if (call.name === "catalog") {
    if (call.request.kind !== "tables") return { wanted: [], folders: [] };
    return tables(store, connection, call.request, signal);
  }
  const { reads } = call.statement;
  const scans = new Map(reads.flatMap(({ physical, scans: uses }) => (physical ? [[physical.table, uses]] : [])));
  const found = await Promise.all(
    [...filesRead(reads)].map(async ([path, declared]): Promise<readonly Wanted[]> => {
      const objects = await objectsAt(store, path, signal);
      const format = formatOf(path, objects[0].key, connection.format);
      // A statement is bound by the columns alone.
      if (call.name === "dry-run") {
        if (format !== "parquet") return textParts(objects, format, SCHEMA, declared?.isRestricted === true);
        return [{ object: objects[0], part: SCHEMA }];
      }
      const need = needOf(scans.get(path));
      const ruled = ruledNeedOf(scans.get(path));
      if (format !== "parquet") return textParts(objects, format, need, declared?.isRestricted === true, ruled);
      return ruled === undefined ? parquetParts(objects, need) : ruledParts(objects, need, ruled);
    }),
  );
  const wanted = found.flat();
  return { wanted: eachOnce(wanted, store.root), folders: [] };
}

function textParts(
  objects: readonly StoredObject[],
  format: Exclude<FileFormat, "parquet">,
  need: FileNeed,
  isDeclared: boolean,
  ruled?: FileNeed,
): readonly Wanted[] {
  const files = objects.map(({ key, size }) => ({ name: key, size }));
  const needed = areNeeded(files, format, need, isDeclared);
  const part = (isNeeded: boolean | undefined): "all" | "nothing" => (isNeeded === true ? "all" : "nothing");
  if (ruled === undefined) return objects.map((object, index) => ({ object, part: part(needed[index]) }));
  const counted = areNeeded(files, format, ruled, isDeclared);
  return objects.map((object, index) => ({ object, part: part(counted[index]), fetched: part(needed[index]) }));
}

/** Files are looked into and counted as the rule alone leaves them, whatever a caller compares with. */
function ruledParts(
  objects: readonly [StoredObject, ...StoredObject[]],
  need: FileNeed,
  ruled: FileNeed,
): readonly Wanted[] {
  return parquetParts(objects, ruled).map((one) =>
    one.like === undefined ? { ...one, fetched: needWithin(need, one.object.key) } : one,
  );
}

/** Files whose rows cannot affect the result take the columns of a file whose rows can. */
function parquetParts(objects: readonly [StoredObject, ...StoredObject[]], need: FileNeed): readonly Wanted[] {
  const parts = objects.map((object) => ({ object, part: needWithin(need, object.key) }));
  const like = parts.find(({ part }) => part.uses.length > 0)?.object ?? objects[0];
  return parts.map(({ object, part }) => ({
    object,
    part,
    ...(part.uses.length === 0 && object !== like && { like }),
  }));
}

async function tables(
  store: ObjectStore,
  { url, format }: FileFields,
  { filter }: Extract<CatalogRequest, { kind: "tables" }>,
  signal: AbortSignal,
): Promise<Needs> {
  // The engine process reports unknown formats, in the words that clients look for.
  if (!isFileFormat(format)) return { wanted: [], folders: [] };
  const part = format === "parquet" ? { part: SCHEMA, isListed: true as const } : { part: "all" as const };
  const found = await objectTables(store, { url, format }, filter, signal);
  const wanted = found.tables.flatMap(({ objects }) => objects.map((object): Wanted => ({ object, ...part })));
  return { wanted, folders: found.folder === undefined ? [] : [found.folder] };
}

/** Every `*.duckdb` directly in the folder, with its write-ahead log, which belongs to its content. */
async function databases(store: ObjectStore, { url }: FileFields, signal: AbortSignal): Promise<Needs> {
  const entries = await topLevel(store, folderPrefix(store.root, url), signal);
  const wanted = entries
    .filter((entry): entry is StoredObject => "key" in entry && /\.duckdb(?:\.wal)?$/.test(entry.key))
    .map((object): Wanted => ({ object, part: "all" }));
  return { wanted, folders: [] };
}

/** Two paths may mean one object, which then has to be the same for both. */
function eachOnce(wanted: readonly Wanted[], root: string): readonly Wanted[] {
  const byKey = new Map<string, Wanted>();
  for (const one of wanted) {
    const { key, etag } = one.object;
    const known = byKey.get(key);
    if (known !== undefined && known.object.etag !== etag) {
      throw new ConnectorFailure("OBJECT_CHANGED", `${root}${key} changed while it was looked for.`, {
        hint: "Ask again.",
      });
    }
    byKey.set(key, known === undefined ? one : both(known, one));
  }
  return [...byKey.values()];
}

function both(one: Wanted, other: Wanted): Wanted {
  if (one.part === "all" || other.part === "all") return { object: one.object, part: "all" };
  if (one.part === "nothing") return other;
  if (other.part === "nothing") return one;
  const like = one.like && other.like;
  const fetched = bothFetched(one, other);
  return {
    object: one.object,
    part: bothNeeds(one.part, other.part),
    ...(like && { like }),
    ...(fetched && { fetched }),
  };
}

function bothFetched(one: Wanted, other: Wanted): FileNeed | undefined {
  const [own, others] = [one.fetched ?? one.part, other.fetched ?? other.part];
  const isWhole = typeof own === "string" || typeof others === "string";
  return isWhole || (one.fetched ?? other.fetched) === undefined ? undefined : bothNeeds(own, others);
}
