/**
 * Whether compressed texts are whole, seen before their rows are answered: DuckDB 1.4 takes what there is of one that is cut off for
 * all of it, and does not look at the checksums of gzip.
 */
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ConfinedFile } from "./file-root.ts";

/** Reads them to their ends. Fails with `FILE_INVALID`, and after an abort with the signal's reason. */
export async function assertWhole(files: readonly ConfinedFile[], signal: AbortSignal): Promise<void> {
  for (const file of files) {
    try {
      if (file.name.endsWith(".gz")) await unpack(file.path, signal);
      else if (file.name.endsWith(".zst")) await walkFrames(file.path, signal);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new ConnectorFailure("FILE_INVALID", `"${file.name}" is cut off or damaged.`, {
        hint: "Write the file anew: a part of its rows would be answered for all of them.",
        cause,
      });
    }
  }
}

/** All members, with their lengths and checksums (RFC 1952). */
async function unpack(path: string, signal: AbortSignal): Promise<void> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(path), zlib.createGunzip(), sink, { signal });
}

const FRAME = 0xfd2fb528;
/** Sixteen of them, which differ in their last four bits. */
const SKIPPABLE = 0x184d2a50;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
/** Raw, of one byte repeated, and compressed; a fourth kind is reserved. */
const REPEATED = 1;
const RESERVED = 3;

/** From frame to frame, by the sizes of their blocks (RFC 8878 §3.1), whose checksums DuckDB does look at. */
async function walkFrames(path: string, signal: AbortSignal): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let at = 0;
    do at = await frameEnd(file, at, signal);
    while (at < size);
    if (at > size) throw new Error("The last frame is longer than the file.");
  } finally {
    await file.close();
  }
}

async function frameEnd(file: FileHandle, start: number, signal: AbortSignal): Promise<number> {
  const head = await bytesAt(file, start, 5);
  const magic = head.readUInt32LE();
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) return start + 8 + (await bytesAt(file, start + 4, 4)).readUInt32LE();
  if (magic !== FRAME) throw new Error("There is no frame.");
  const descriptor = head.readUInt8(4);
  const isSingleSegment = (descriptor & 0b100000) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11] ?? 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  let at = start + head.length + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  for (let isLast = false; !isLast; ) {
    signal.throwIfAborted();
    const header = (await bytesAt(file, at, BLOCK_HEADER_BYTES)).readUIntLE(0, BLOCK_HEADER_BYTES);
    const kind = (header >> 1) & 0b11;
    if (kind === RESERVED) throw new Error("A block is of no kind that there is.");
    isLast = (header & 1) === 1;
    at += BLOCK_HEADER_BYTES + (kind === REPEATED ? 1 : header >> 3);
  }
  return at + ((descriptor & 0b100) === 0 ? 0 : CHECKSUM_BYTES);
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new Error("The file ends within a frame.");
  return buffer;
}
