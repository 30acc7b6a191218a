/**
 * Decompresses texts to their end: every member of gzip, every frame of Zstandard. The platform throws an error for truncated or
 * changed data.
 */
import zlib from "node:zlib";
import { ConnectorFailure } from "../../failure.ts";
import { FRAME, frameSteps } from "./zstd-frames.ts";

export type Packing = "gzip" | "zstd";

/** By the extension, as in DuckDB, which does not recognise `.GZ`. */
export function packingOf(name: string): Packing | undefined {
  if (name.endsWith(".gz")) return "gzip";
  return name.endsWith(".zst") ? "zstd" : undefined;
}

/** DuckDB reads a truncated file as if it were complete. */
export function notWhole(name: string, cause: unknown): ConnectorFailure {
  return new ConnectorFailure("FILE_INVALID", `"${name}" is cut off or damaged.`, {
    hint: "Write the file anew: a part of its rows would be answered for all of them.",
    cause,
  });
}

/** `mostWindow`: base-2 logarithm of the maximum window of a frame. */
export function unpacked(
  packing: Packing,
  chunks: AsyncIterable<Uint8Array>,
  mostWindow?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  return packing === "gzip" ? through(zlib.createGunzip(), chunks) : ofFrames(chunks, mostWindow);
}

type Decompressor = ReturnType<typeof zlib.createGunzip> | ReturnType<typeof zlib.createZstdDecompress>;

async function* through(
  plain: Decompressor,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  void feed(plain, chunks);
  try {
    for await (const chunk of plain) yield chunk as Uint8Array;
  } finally {
    plain.destroy();
  }
}

/** The reader gets the failures. */
async function feed(plain: Decompressor, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!plain.destroyed && !plain.write(chunk)) await roomIn(plain);
      if (plain.destroyed) return;
    }
    plain.end();
  } catch (error) {
    plain.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function roomIn(plain: Decompressor): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      plain.off("drain", settle);
      plain.off("close", settle);
      resolve();
    };
    plain.once("drain", settle);
    plain.once("close", settle);
  });
}

/** The platform stops after the first frame without an error about the rest. */
async function* ofFrames(
  chunks: AsyncIterable<Uint8Array>,
  mostWindow: number | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const options = mostWindow === undefined ? {} : { params: { [zlib.constants.ZSTD_d_windowLogMax]: mostWindow } };
  const pieces = piecesOf(chunks);
  try {
    for (;;) {
      const first = await pieces.next();
      if (first.done) return;
      yield* through(zlib.createZstdDecompress(options), restOfFrame(first.value, pieces));
    }
  } finally {
    await pieces.return();
  }
}

/** A piece of a frame. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

async function* restOfFrame(first: Piece, pieces: AsyncIterator<Piece>): AsyncGenerator<Uint8Array, void, undefined> {
  for (let piece = first; ; ) {
    yield piece.bytes;
    if (piece.isLast) return;
    const next = await pieces.next();
    if (next.done) return;
    piece = next.value;
  }
}

const CUT_OFF = "The file ends within a frame.";

async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece, void, undefined> {
  const bytes = new Bytes(chunks);
  const steps = frameSteps();
  try {
    let isWithin = false;
    let looked: Uint8Array = new Uint8Array();
    for (let hasBegun = false; ; ) {
      const { value: next } = steps.next(looked);
      switch (next.step) {
        case "begin":
          [isWithin, hasBegun] = [true, true];
          yield { bytes: FRAME, isLast: false };
          break;
        case "end":
          isWithin = false;
          yield { bytes: new Uint8Array(), isLast: true };
          break;
        case "look":
          looked = await bytes.exactly(next.bytes);
          if (looked.length === 0 && next.isBetween && hasBegun) return;
          if (looked.length < next.bytes) throw new Error(CUT_OFF);
          if (isWithin) yield { bytes: looked, isLast: false };
          hasBegun = true;
          break;
        case "pass":
          for (let left = next.bytes; left > 0; ) {
            const part = await bytes.some(left);
            if (part === undefined) throw new Error(CUT_OFF);
            left -= part.length;
            if (isWithin) yield { bytes: part, isLast: false };
          }
          break;
        default:
          next satisfies never;
      }
    }
  } finally {
    await bytes.close();
  }
}

/** Chunks, cut on demand. */
class Bytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #left: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** At least one byte, at most `most`; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.#left.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#left = value;
    }
    const part = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(part.length);
    return part;
  }

  /** Fewer at the end. */
  async exactly(count: number): Promise<Uint8Array> {
    const found = new Uint8Array(count);
    let at = 0;
    while (at < count) {
      const part = await this.some(count - at);
      if (part === undefined) break;
      found.set(part, at);
      at += part.length;
    }
    return found.subarray(0, at);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
