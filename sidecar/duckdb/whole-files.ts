/**
 * Checks that compressed texts are complete before their rows are returned: DuckDB 1.4 reads a truncated file as if it were
 * complete, and ignores gzip's checksums.
 */
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import { notWhole, packingOf } from "../../src/connectors/files/packed/unpacked.ts";
import { frameSteps } from "../../src/connectors/files/packed/zstd-frames.ts";
import type { ConfinedFile } from "./file-root.ts";

/** Reads the files to their ends. Rejects with `FILE_INVALID`, and after an abort with the signal's reason. */
export async function assertWhole(files: readonly ConfinedFile[], signal: AbortSignal): Promise<void> {
  for (const file of files) {
    const packing = packingOf(file.name);
    try {
      if (packing === "gzip") await unpack(file.path, signal);
      else if (packing === "zstd") await walkFrames(file.path, signal);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw notWhole(file.name, cause);
    }
  }
}

/** All members, with their lengths and checksums (RFC 1952). */
async function unpack(path: string, signal: AbortSignal): Promise<void> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(path), zlib.createGunzip(), sink, { signal });
}

/** From frame to frame; DuckDB does check the checksums of frames. */
async function walkFrames(path: string, signal: AbortSignal): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const steps = frameSteps();
    let looked: Uint8Array = new Uint8Array();
    for (let at = 0; ; ) {
      signal.throwIfAborted();
      const { value: next } = steps.next(looked);
      if (next.step === "look") {
        if (next.isBetween && at === size && at > 0) return;
        looked = await bytesAt(file, at, next.bytes);
      }
      if (next.step === "look" || next.step === "pass") at += next.bytes;
    }
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new Error("The file ends within a frame.");
  return buffer;
}
