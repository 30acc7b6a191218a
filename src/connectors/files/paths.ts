/**
 * Resolves paths of a manifest to keys of a bucket, by the rules of `local_file` for files below its root: an existing name wins
 * over its interpretation as a pattern, a step upwards is not allowed, and a path without files is an error.
 */
import { ConnectorFailure } from "../failure.ts";
import { hasWildcard, literalPrefix, MOST_ENTRIES, patternMatcher } from "./glob.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";

/**
 * The objects of a path, sorted by key. Rejects with `FILE_NOT_FOUND` for no objects and for other buckets, and with
 * `FILE_INVALID` for a folder and for keys that no path can have.
 */
export async function objectsAt(
  store: ObjectStore,
  written: string,
  signal: AbortSignal,
): Promise<readonly [StoredObject, ...StoredObject[]]> {
  const path = keyOf(store.root, written);
  if (path === undefined || path === "") throw notFound(store.root, written);
  const [first, ...others] = hasWildcard(path)
    ? await matching(store, path, written, signal)
    : [await store.head(path, signal)];
  if (first !== undefined) return [first, ...others.filter((object) => object !== undefined)];
  if (!hasWildcard(path) && (await hasObjects(store, `${path}/`, signal))) {
    const hint = `Name an object, or all objects of the folder as "${written.replace(/(?<!\/)\/+$/, "")}/*".`;
    throw new ConnectorFailure("FILE_INVALID", `"${written}" is a folder.`, { hint });
  }
  throw notFound(store.root, written);
}

/** A folder's prefix: `""` for the bucket itself, otherwise with a trailing slash. Throws `FILE_NOT_FOUND`. */
export function folderPrefix(root: string, written: string): string {
  const path = keyOf(root, written);
  if (path === undefined) throw notFound(root, written, "folder");
  return path === "" ? "" : `${path}/`;
}

/** All entries of a listing; rejects with `FILE_INVALID` if there are too many. */
export async function allEntries<T>(entries: AsyncIterable<T>, about: string): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) {
    all.push(entry);
    if (all.length > MOST_ENTRIES) {
      throw new ConnectorFailure("FILE_INVALID", `"${about}" covers more than ${MOST_ENTRIES} objects.`);
    }
  }
  return all;
}

/** `s3://bucket/a//./b`, `/a/b` → `a/b`; undefined for other buckets, and for a path with a step upwards. */
function keyOf(root: string, written: string): string | undefined {
  if (written.includes("\0") || !written.isWellFormed()) return undefined;
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(written);
  if (isAddress && !`${written}/`.startsWith(root)) return undefined;
  const path = isAddress ? written.slice(root.length) : written;
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return steps.includes("..") ? undefined : steps.join("/");
}

async function matching(
  store: ObjectStore,
  pattern: string,
  written: string,
  signal: AbortSignal,
): Promise<StoredObject[]> {
  const prefix = literalPrefix(pattern);
  const rest = pattern.slice(prefix.length);
  // If only the last step has wildcards, folders below are not listed.
  const isFlat = !rest.includes("/") && !rest.includes("**");
  const entries = await allEntries(store.list(prefix, { signal, ...(isFlat && { delimiter: "/" }) }), written);
  const objects = entries.filter((entry) => "key" in entry);
  const exact = objects.find(({ key }) => key === pattern);
  if (exact !== undefined) return [exact];
  const matches = patternMatcher(pattern);
  const found = objects.filter(({ key }) => matches(key));
  // `a/**` may be meant to include `a//b.csv`, whose rows would be missing.
  const odd = objects.find(({ key }) => key.includes("//") && matches(key.replace(/\/{2,}/g, "/")));
  if (odd !== undefined) {
    throw new ConnectorFailure("FILE_INVALID", `"${store.root}${odd.key}" has an empty step, which no path has.`);
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function hasObjects(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _ of store.list(prefix, { signal, delimiter: "/" })) return true;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // The check only improves the error message: callers who may read objects are not always allowed to list them.
    if (!(error instanceof ConnectorFailure)) throw error;
  }
  return false;
}

function notFound(root: string, written: string, what = "file"): ConnectorFailure {
  const message = `The ${what} "${written.replaceAll("\0", "")}" does not exist.`;
  return new ConnectorFailure("FILE_NOT_FOUND", message, { hint: keysHint(root) });
}

export function keysHint(root: string): string {
  return `Paths are keys of the connection's bucket, with or without ${root} before them, and never lead out of it.`;
}
