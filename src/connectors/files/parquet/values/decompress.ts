/** Decompresses a page with the codec of its column. A page declares its decompressed size, which is a limit. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { ParquetFault } from "../fault.ts";
import { unLz4, unSnappy } from "./lz77.ts";

export const UNCOMPRESSED = 0;

/** By the numbers of `CompressionCodec`; the same codecs that DuckDB supports. */
const CODECS: ReadonlyMap<number, (bytes: Uint8Array, size: number) => Uint8Array> = new Map([
  [UNCOMPRESSED, (bytes) => bytes],
  [1, unSnappy],
  [2, (bytes, size) => gunzipSync(bytes, room(size))],
  [4, (bytes, size) => brotliDecompressSync(bytes, room(size))],
  [6, (bytes, size) => zstdDecompressSync(bytes, room(size))],
  [7, unLz4],
]);

export function isKnownCodec(codec: number): boolean {
  return CODECS.has(codec);
}

/** Throws `ParquetFault`. */
export function decompress(codec: number, bytes: Uint8Array, size: number): Uint8Array {
  const work = CODECS.get(codec);
  if (work === undefined) throw new ParquetFault("Its values are compressed in a way that is not known.");
  let page: Uint8Array;
  try {
    page = size === 0 && bytes.length === 0 ? bytes : work(bytes, size);
  } catch (cause) {
    if (cause instanceof ParquetFault) throw cause;
    throw new ParquetFault("Compressed values in it are broken.", { cause });
  }
  if (page.length !== size) throw new ParquetFault("Values in it are not as long as it says.");
  return page;
}

/** workerd allocates powers of two, from 64 KiB on, and compares the limit with the allocation. */
function room(size: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: 2 ** Math.ceil(Math.log2(Math.max(size, 32_768)) + 1) };
}
