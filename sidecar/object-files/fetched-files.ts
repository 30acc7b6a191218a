/** Objects of a store as files below a directory, under their keys; nothing is written outside of it. */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import zlib from "node:zlib";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { FileNeed } from "../../src/connectors/files/need.ts";
import type { ObjectStore, StoredObject } from "../../src/connectors/files/object-store.ts";
import { packingOf } from "../../src/connectors/files/packed/unpacked.ts";
import { FooterTooLarge, ParquetFault } from "../../src/connectors/files/parquet/fault.ts";
import { fetchFooter, LIKELY_FOOTER_BYTES, storedBytes } from "../../src/connectors/files/parquet/fetch-footer.ts";
import { type Footer, readFooter, type StoredFooter } from "../../src/connectors/files/parquet/footer.ts";
import { withinNeed } from "../../src/connectors/files/parquet/needed-groups.ts";
import { type ByteRange, type Projection, project } from "../../src/connectors/files/parquet/projection.ts";
import type { StatementBytes } from "./byte-budget.ts";

/** The part of an object that a statement needs: `FileNeed` is for Parquet, `nothing` for skipped objects. */
export interface Wanted {
  readonly object: StoredObject;
  readonly part: "all" | "nothing" | FileNeed;
  /** The part of `part` that is fetched, where limits on bytes count more than that: under a row rule (`ruledNeedOf`). */
  readonly fetched?: "all" | "nothing" | FileNeed;
  /** The object whose columns stand in, if none of its rows is needed. */
  readonly like?: StoredObject;
  /** One of a listing: what cannot be read of it is left to its reader, who passes over it. */
  readonly isListed?: true;
}

/** Parallel requests per statement, and maximum bytes per request. */
const REQUESTS = 8;
const PART_BYTES = 32 * 1024 * 1024;

export interface FetchTarget {
  readonly store: ObjectStore;
  /** Absolute; it exists. */
  readonly directory: string;
  readonly bytes: StatementBytes;
  readonly footers: KnownFooters;
}

/** Footers that the connection has read before. */
export interface KnownFooters {
  get(object: StoredObject): StoredFooter | undefined;
  set(object: StoredObject, footer: StoredFooter): void;
}

/** Fails with `ConnectorFailure`, or with the signal's reason; then nothing is being read any more. */
export async function fetchFiles(wanted: readonly Wanted[], target: FetchTarget, signal: AbortSignal): Promise<void> {
  const { store, bytes } = target;
  const fetched: { readonly object: StoredObject; readonly path: string; readonly ranges: readonly ByteRange[] }[] = [];
  let counted = 0;
  const begin = async (object: StoredObject, places: Places, most: Places = places): Promise<void> => {
    counted += lengthOf(most.ranges);
    fetched.push({ object, path: await beginFile(target, object, places), ranges: places.ranges });
  };
  const own = wanted.filter(({ like }) => like === undefined);
  const unknown = own.filter(
    ({ object, part }) => typeof part !== "string" && target.footers.get(object) === undefined,
  );
  bytes.take(
    unknown.reduce((sum, { object: { size } }) => sum + Math.min(size, LIKELY_FOOTER_BYTES), 0),
    unknown.length,
  );
  // A footer is held while its file is begun; of a model object, only the parts that others need are kept.
  const modelled = new Set(wanted.flatMap(({ like }) => like?.key ?? []));
  const models = new Map<string, Places>();
  const beginOwn = own.map((one) => async (given: AbortSignal): Promise<void> => {
    const { object, part, fetched: less } = one;
    if (part === "all") return begin(object, less === "nothing" ? nothing(object) : whole(object), whole(object));
    if (part === "nothing") return begin(object, nothing(object));
    const footer = await footerOf(one, target, given);
    if (modelled.has(object.key)) models.set(object.key, placesOf(object, { ...part, uses: [] }, footer));
    const left = await filtered(object, footer, part, target, given);
    const most = placesOf(object, part, left);
    if (less === undefined || typeof less === "string") return begin(object, most);
    // Indexes that only the caller's comparisons ask for are not counted either.
    const uncounted = { ...target, bytes: UNCOUNTED };
    await begin(object, placesOf(object, less, await filtered(object, left, less, uncounted, given)), most);
  });
  await inParallel(beginOwn, REQUESTS, signal);
  const beginOthers = wanted.flatMap(({ object, like }) => {
    if (like === undefined) return [];
    const model = models.get(like.key);
    return [() => begin(object, model?.written === undefined ? whole(object) : model)];
  });
  await inParallel(beginOthers, REQUESTS, signal);

  bytes.take(counted, wanted.length);
  const reading = fetched.flatMap(({ object, path, ranges }) =>
    ranges.flatMap(partsOf).map(
      ({ start, end }) =>
        (given: AbortSignal) =>
          fetchRange(store, object, path, start, end, given),
    ),
  );
  await inParallel(reading, REQUESTS, signal);
}

/** Writes the file with its local parts and without the fetched ones; returns its path. */
async function beginFile(
  { store, directory }: FetchTarget,
  object: StoredObject,
  { written }: Places,
): Promise<string> {
  const path = pathFor(store, directory, object);
  const file = await created(path, store, object);
  try {
    if (written === undefined) await file.truncate(object.size);
    for (const { bytes, at } of written ?? []) await writeAt(file, bytes, at);
  } finally {
    await file.close();
  }
  return path;
}

/** `whole` for a footer that is too large to read; undefined for an object without one, in a listing. */
async function footerOf(
  { object, isListed }: Wanted,
  { store, bytes, footers: known }: FetchTarget,
  signal: AbortSignal,
): Promise<Footer | "whole" | undefined> {
  const kept = known.get(object);
  if (kept !== undefined) return readFooter(kept);
  try {
    const stored = await fetchFooter(store, object, (more) => bytes.take(more, 1), signal);
    const footer = readFooter(stored);
    known.set(object, stored);
    return footer;
  } catch (error) {
    if (error instanceof FooterTooLarge) return "whole";
    if (!(error instanceof ParquetFault)) throw error;
    if (isListed === undefined) throw unreadable(store, object, error);
    return undefined;
  }
}

/** Without groups of rows that the file's indexes of pages and filters of single values leave out. */
async function filtered<F extends Footer | "whole" | undefined>(
  object: StoredObject,
  footer: F,
  need: FileNeed,
  { store, bytes }: FetchTarget,
  signal: AbortSignal,
): Promise<F | Footer> {
  if (footer === undefined || footer === "whole") return footer;
  return withinNeed(footer, need, async (start, end) => {
    bytes.take(end - start, 1);
    return storedBytes(store, object, start, end, signal);
  });
}

/** Without local parts, the object with all its bytes. */
type Places = Pick<Projection, "ranges"> & Partial<Projection>;

function whole({ size }: StoredObject): Places {
  return { ranges: [{ start: 0, end: size }] };
}

/** An empty file, compressed in the format of its name. */
function nothing({ key }: StoredObject): Places {
  const packing = packingOf(key);
  const pack = packing === "gzip" ? zlib.gzipSync : packing === "zstd" ? zlib.zstdCompressSync : undefined;
  return { ranges: [], written: pack === undefined ? [] : [{ bytes: pack(""), at: 0 }] };
}

function placesOf(object: StoredObject, need: FileNeed, footer: Footer | "whole" | undefined): Places {
  if (footer === "whole") return whole(object);
  // Nothing, which no reader takes for a file.
  return footer === undefined ? { ranges: [], written: [] } : project(footer, need);
}

const UNCOUNTED: StatementBytes = { take: () => undefined, giveBack: () => undefined };

function lengthOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Splits a range into parts of one request each. */
function partsOf({ start, end }: ByteRange): readonly ByteRange[] {
  return Array.from({ length: Math.ceil((end - start) / PART_BYTES) }, (_, index) => {
    const from = start + index * PART_BYTES;
    return { start: from, end: Math.min(end, from + PART_BYTES) };
  });
}

function unreadable({ root }: ObjectStore, { key }: StoredObject, fault: ParquetFault): ConnectorFailure {
  return new ConnectorFailure("FILE_INVALID", `"${root}${key}" cannot be read: ${fault.message}`, { cause: fault });
}

/** No file is open but for the range that is written: a pattern may cover more than a process may have open. */
async function fetchRange(
  store: ObjectStore,
  object: StoredObject,
  path: string,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<void> {
  let at = start;
  const file = await open(path, "r+");
  try {
    for await (const chunk of await store.read(object, start, end, signal)) {
      signal.throwIfAborted();
      await writeAt(file, chunk, at);
      at += chunk.byteLength;
    }
  } finally {
    await file.close();
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, at + written);
    written += bytesWritten;
  }
}

function pathFor(store: ObjectStore, directory: string, { key }: StoredObject): string {
  const steps = key.split("/");
  // Keys are data of others; a path is made of names alone.
  if (key.includes("\0") || steps.some((step) => step === "" || step === "." || step === "..")) {
    throw new ConnectorFailure("FILE_INVALID", `"${store.root}${key}" is a key that no path has.`);
  }
  return join(directory, ...steps);
}

async function created(path: string, store: ObjectStore, { key }: StoredObject): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await open(path, "wx+", 0o600);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (!UNNAMEABLE.has(code)) throw cause;
    const message = `"${store.root}${key}" cannot be a file beside the others: its name is too long, or another's folder.`;
    throw new ConnectorFailure("FILE_INVALID", message, { cause });
  }
}

const UNNAMEABLE: ReadonlySet<string> = new Set(["ENAMETOOLONG", "EEXIST", "ENOTDIR", "EISDIR", "EILSEQ"]);

/** Aborts running work when one item fails, and waits for it to end. */
async function inParallel(
  work: readonly ((signal: AbortSignal) => Promise<void>)[],
  atOnce: number,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const given = AbortSignal.any([signal, stop.signal]);
  const left = [...work];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      given.throwIfAborted();
      await next(given);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, left.length) }, async () => {
    try {
      await worker();
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  });
  const outcomes = await Promise.allSettled(workers);
  if (outcomes.some(({ status }) => status === "rejected")) throw given.reason;
}
