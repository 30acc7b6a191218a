/** CSV files under the name that a plan has for them: the engine's own reader, over ranges of them. */
import { declaredScan } from "../duckdb/declared/scan.ts";
import { sqlText } from "../duckdb/sql-text.ts";
import { ConnectorFailure } from "../failure.ts";
import { isPartitioned } from "../files/formats.ts";
import { isStrange, keyedSteps } from "./directories.ts";
import type { EngineFile } from "./instance.ts";
import { beyond } from "./needs-sidecar.ts";
import type { FoundFile, View } from "./view.ts";

/** A reader of CSV has several of them at once. */
const BUFFER_BYTES = 2 * 1024 * 1024;
/** Of a file that is looked at beside the engine. */
const CHUNK_BYTES = 256 * 1024;

export interface CsvView {
  /** What is shown of a file, and the file, by the name that the engine has for it. */
  readonly files: ReadonlyMap<string, { readonly shown: string; readonly file: EngineFile }>;
  /** What stands for the files. */
  readonly query: string;
  /** Whether types are what their rows look like, and not what the manifest says. */
  readonly isSniffed: boolean;
}

/** `prefix`: of names of the engine. Fails with `ConnectorFailure`: `NEEDS_SIDECAR` where directories are called by what is not looked into. */
export async function csvView(
  { files, declared, areRead }: Pick<View, "files" | "declared" | "areRead">,
  prefix: string,
  signal: AbortSignal,
): Promise<CsvView> {
  const scanned = files.map((file, number) => ({
    path: pathOf(file, `${prefix}-${number}`),
    name: file.name,
    file: { size: file.size, read: (start: number, length: number) => file.read(start, start + length, signal) },
    beginning: () => beginningOf(file, signal),
  }));
  if (areRead) for (const file of files) if (isCompressed(file.name)) await assertWhole(file, signal);
  const named = new Map(scanned.map(({ path, name, file }) => [path, { shown: name, file }] as const));
  const options = [`buffer_size = ${BUFFER_BYTES}`];
  if (declared !== undefined) {
    return { files: named, query: await declaredScan(scanned, "csv", declared, options), isSniffed: false };
  }
  const paths = scanned.map(({ path }) => sqlText(path)).join(", ");
  const hive = `hive_partitioning = ${files.some(({ name }) => isPartitioned(name))}`;
  return {
    files: named,
    query: `SELECT * FROM read_csv([${paths}], ${[hive, ...options].join(", ")})`,
    isSniffed: true,
  };
}

/** A name of ours, for those of callers may be patterns; below the directories that name columns, which the engine reads off them. */
function pathOf({ name }: FoundFile, own: string): string {
  const steps = keyedSteps(name);
  if (steps.some(isStrange)) throw beyond(name, "the name of its directory");
  return [...steps, `${own}.csv${isCompressed(name) ? ".gz" : ""}`].join("/");
}

/** As the engine takes it: `.GZ` is none to it. */
const isCompressed = (name: string): boolean => name.endsWith(".gz");

/** The engine takes what there is of one that is cut off for all of it, and does not look at checksums. */
async function assertWhole(file: FoundFile, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of unpacked(file, signal)) signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ConnectorFailure) throw error;
    // It may be in order: several members behind each other are none to the platform.
    throw beyond(file.name, "what is packed in it: it is cut off, damaged, or of several members");
  }
}

async function* beginningOf(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* isCompressed(file.name) ? unpacked(file, signal) : chunksOf(file, signal);
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error;
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" cannot be read.`, { cause: error });
  }
}

async function* chunksOf(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    yield await file.read(at, Math.min(at + CHUNK_BYTES, file.size), signal);
  }
}

/** Fails with the platform's error where the file is none of gzip, or not whole. */
async function* unpacked(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = chunksOf(file, signal);
  const source = new ReadableStream<BufferSource>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever has seen enough reads no more of it.
    await reader.cancel().catch(() => undefined);
  }
}
