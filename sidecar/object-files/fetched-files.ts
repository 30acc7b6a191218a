/** Objects of a store as files below a directory, under their keys; nothing is written outside of it. */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ObjectStore, StoredObject } from "../../src/connectors/files/object-store.ts";
import type { StatementBytes } from "./byte-budget.ts";

/** What of an object a statement needs. */
export interface Wanted {
  readonly object: StoredObject;
  /** `schema`: what tells its columns, where the format has that in one place (Parquet's footer). */
  readonly part: "all" | "schema";
}

/** Requests at once for one statement, and the bytes that one of them asks for at most. */
const REQUESTS = 8;
const PART_BYTES = 32 * 1024 * 1024;
/** Where most footers fit in. */
const TAIL_BYTES = 64 * 1024;

export interface FetchTarget {
  readonly store: ObjectStore;
  /** Absolute; it exists. */
  readonly directory: string;
  readonly bytes: StatementBytes;
}

/** Fails with `ConnectorFailure`, or with the signal's reason; then nothing is being read any more. */
export async function fetchFiles(
  wanted: readonly Wanted[],
  { store, directory, bytes }: FetchTarget,
  signal: AbortSignal,
): Promise<void> {
  const estimate = wanted.reduce(
    (sum, { object: { size }, part }) => sum + (part === "all" ? size : Math.min(size, TAIL_BYTES)),
    0,
  );
  bytes.take(estimate, wanted.length);
  const work: ((given: AbortSignal) => Promise<void>)[] = [];
  const files: FileHandle[] = [];
  try {
    for (const { object, part } of wanted) {
      signal.throwIfAborted();
      const file = await fileFor(store, directory, object);
      files.push(file);
      await file.truncate(object.size);
      if (part === "schema") work.push((given) => fetchFooter(store, object, file, bytes, given));
      else {
        for (let start = 0; start < object.size; start += PART_BYTES) {
          const end = Math.min(object.size, start + PART_BYTES);
          work.push((given) => fetchRange(store, object, file, start, end, given));
        }
      }
    }
    await inParallel(work, REQUESTS, signal);
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** The end of a Parquet file: all that is read of it to tell its columns (https://parquet.apache.org/docs/file-format/). */
async function fetchFooter(
  store: ObjectStore,
  object: StoredObject,
  file: FileHandle,
  bytes: StatementBytes,
  signal: AbortSignal,
): Promise<void> {
  const start = Math.max(0, object.size - TAIL_BYTES);
  await fetchRange(store, object, file, start, object.size, signal);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, Math.max(0, object.size - 8));
  if (bytesRead < 8) return;
  const begin = object.size - 8 - buffer.readUInt32LE(0);
  // Of a file that has no such footer its reader says so.
  if (begin < 0 || begin >= start) return;
  bytes.take(start - begin, 1);
  await fetchRange(store, object, file, begin, start, signal);
}

async function fetchRange(
  store: ObjectStore,
  object: StoredObject,
  file: FileHandle,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<void> {
  let at = start;
  for await (const chunk of await store.read(object, start, end, signal)) {
    signal.throwIfAborted();
    for (let written = 0; written < chunk.byteLength; ) {
      const { bytesWritten } = await file.write(chunk, written, chunk.byteLength - written, at);
      written += bytesWritten;
      at += bytesWritten;
    }
  }
}

async function fileFor(store: ObjectStore, directory: string, { key }: StoredObject): Promise<FileHandle> {
  const steps = key.split("/");
  // Keys are data of others; a path is made of names alone.
  if (key.includes("\0") || steps.some((step) => step === "" || step === "." || step === "..")) {
    throw new ConnectorFailure("FILE_INVALID", `"${store.root}${key}" is a key that no path has.`);
  }
  const path = join(directory, ...steps);
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

/** Ends what is under way when one fails, and waits for that. */
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
