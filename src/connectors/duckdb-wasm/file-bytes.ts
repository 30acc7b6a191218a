/** Reads bytes of files outside the engine, and decompresses files that the engine cannot. */
import { concatenated } from "../../result/bytes.ts";
import { ConnectorFailure } from "../failure.ts";
import { notWhole, packingOf, unpacked } from "../files/packed/unpacked.ts";
import type { EngineFile } from "./instance.ts";
import { beyond } from "./needs-sidecar.ts";
import type { FoundFile } from "./view.ts";

const CHUNK_BYTES = 256 * 1024;
/**
 * Base-2 logarithm of the maximum Zstandard window, 8 MiB: levels up to 19 write no larger one, although DuckDB accepts 128 MiB.
 */
const MOST_WINDOW = 23;
/** Decompressed bytes between turns of the event loop for timers and aborts. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** All plain bytes of a file. Rejects as `wholeLength` does if the file is compressed and incomplete. */
export async function* plainBytes(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* unpackedChunks(file, signal);
  } catch (error) {
    throw packedFailure(file, error, signal);
  }
}

/**
 * Decompresses a file to its end and returns its length: the engine reads a truncated file as if it were complete, and ignores
 * checksums. Rejects with `FILE_INVALID`, or with `NEEDS_SIDECAR` if the sidecar may be able to read the file.
 */
export async function wholeLength(file: FoundFile, signal: AbortSignal): Promise<number> {
  let length = 0;
  let before = 0;
  for await (const chunk of plainBytes(file, signal)) {
    length += chunk.length;
    if (length - before > BYTES_AT_ONCE) {
      before = length;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    signal.throwIfAborted();
  }
  return length;
}

function packedFailure({ name }: FoundFile, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ConnectorFailure) return error;
  const message = error instanceof Error ? error.message : "";
  if (message.includes("too much memory")) return beyond(name, "how far back its frames look");
  // The file may be valid: some readers skip data after the last member, and others report damage.
  if (message.includes("incorrect header check")) return beyond(name, "what it is packed by, or what follows it");
  return notWhole(name, error);
}

/** The plain bytes of a file from its beginning. Rejects with `FILE_INVALID`. */
export async function* beginningOf(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* unpackedChunks(file, signal);
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error;
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" cannot be read.`, { cause: error });
  }
}

function unpackedChunks(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const packing = packingOf(file.name);
  const chunks = chunksOf(file, signal);
  return packing === undefined ? chunks : unpacked(packing, chunks, MOST_WINDOW);
}

async function* chunksOf(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    yield await file.read(at, Math.min(at + CHUNK_BYTES, file.size), signal);
  }
}

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/** Decompresses one file of a view at a time: each needs memory for its window. */
export class Unpacking {
  #current: Chunks | undefined;

  isCurrent(chunks: Chunks | undefined): chunks is Chunks {
    return chunks !== undefined && chunks === this.#current;
  }

  /** Ends the decompression of the previous file. */
  async begin(chunks: Chunks): Promise<void> {
    const before = this.#current;
    this.#current = chunks;
    await before?.return();
  }
}

/** A decompressed file of `size` bytes. Readers move forward; for one that moves back, the file is decompressed again. */
export class PlainFile implements EngineFile {
  readonly size: number;
  readonly #file: FoundFile;
  readonly #unpacking: Unpacking;
  readonly #signal: AbortSignal;
  #chunks: Chunks | undefined;
  #chunk: Uint8Array = new Uint8Array();
  /** Start position of `#chunk`. */
  #at = 0;

  constructor(file: FoundFile, size: number, unpacking: Unpacking, signal: AbortSignal) {
    this.size = size;
    this.#file = file;
    this.#unpacking = unpacking;
    this.#signal = signal;
  }

  async read(start: number, length: number): Promise<Uint8Array> {
    if (!this.#unpacking.isCurrent(this.#chunks) || start < this.#at) await this.#begin();
    const parts: Uint8Array[] = [];
    for (let [at, left] = [start, length]; left > 0; ) {
      const within = at - this.#at;
      if (within >= this.#chunk.length) {
        if (await this.#advance()) continue;
        throw new ConnectorFailure("OBJECT_CHANGED", `"${this.#file.name}" is shorter than it was.`);
      }
      const part = this.#chunk.subarray(within, within + left);
      parts.push(part);
      at += part.length;
      left -= part.length;
    }
    return concatenated(parts);
  }

  async #begin(): Promise<void> {
    this.#chunks = plainBytes(this.#file, this.#signal);
    this.#chunk = new Uint8Array();
    this.#at = 0;
    await this.#unpacking.begin(this.#chunks);
  }

  async #advance(): Promise<boolean> {
    const next = await this.#chunks?.next();
    if (next === undefined || next.done) return false;
    this.#at += this.#chunk.length;
    this.#chunk = next.value;
    return true;
  }
}

/** A file with known content. */
export function smallFile(text: string): EngineFile {
  const bytes = new TextEncoder().encode(text);
  return { size: bytes.length, read: (start, length) => bytes.slice(start, start + length) };
}
