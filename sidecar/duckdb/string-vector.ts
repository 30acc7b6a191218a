/**
 * Strings and blobs: 16 bytes each, of which the first four are the length. Up to twelve bytes follow in place; for a longer
 * value, the last eight bytes are its address.
 *
 * The binding copies the memory behind a pointer, at about a microsecond per call. Adjacent values are therefore copied together:
 * a column of comments is read in a fifth of the time.
 */
import duckdb from "@duckdb/node-bindings";
import type { Value } from "../../src/result/types.ts";
import { nullMask, type RawVector } from "./vector.ts";

const ENTRY_BYTES = 16;
const IN_PLACE_BYTES = 12;
/**
 * Maximum bytes between two values that are copied together. If the gap is smaller than a page (at least 4 KiB), both its ends
 * are in pages that contain values, so no page between them can be unmapped: a larger gap leads to a crash.
 */
const LARGEST_GAP = 256;

export function readStrings(vector: RawVector, start: number, count: number): Value[] {
  return read(vector, start, count, (buffer, from, to) => buffer.toString("utf8", from, to));
}

export function readBytes(vector: RawVector, start: number, count: number): Value[] {
  return read(vector, start, count, (buffer, from, to) => new Uint8Array(buffer.subarray(from, to)));
}

export function weighStrings(vector: RawVector, count: number): (index: number) => number {
  const entries = bufferOf(duckdb.vector_get_data(vector, count * ENTRY_BYTES));
  const isNull = nullMask(vector, count);
  return (index) => (isNull(index) ? 0 : entries.readUInt32LE(index * ENTRY_BYTES));
}

function read(
  vector: RawVector,
  first: number,
  count: number,
  take: (buffer: Buffer, from: number, to: number) => Value,
): Value[] {
  const entries = bufferOf(duckdb.vector_get_data(vector, (first + count) * ENTRY_BYTES));
  const isNull = nullMask(vector, first + count);
  const values = new Array<Value>(count);
  const distant: Distant[] = [];
  for (let i = 0; i < count; i++) {
    if (isNull(first + i)) {
      values[i] = null;
      continue;
    }
    const entry = (first + i) * ENTRY_BYTES;
    const length = entries.readUInt32LE(entry);
    if (length <= IN_PLACE_BYTES) {
      values[i] = take(entries, entry + 4, entry + 4 + length);
    } else {
      // User-space addresses have 47 or 48 bits: a number holds them exactly.
      const address = entries.readUInt32LE(entry + 12) * 0x1_0000_0000 + entries.readUInt32LE(entry + 8);
      distant.push({ index: i, entry, address, length });
    }
  }
  for (const run of runs(distant)) {
    const start = run[0]?.address ?? 0;
    const end = run.reduce((last, { address, length }) => Math.max(last, address + length), start);
    const pointer = entries.byteOffset + (run[0]?.entry ?? 0) + 8;
    const copy = bufferOf(duckdb.get_data_from_pointer(entries.buffer as ArrayBuffer, pointer, end - start));
    for (const { index, address, length } of run) values[index] = take(copy, address - start, address - start + length);
  }
  return values;
}

interface Distant {
  /** Index of the value in the result. */
  readonly index: number;
  /** Start of its 16 bytes. */
  readonly entry: number;
  readonly address: number;
  readonly length: number;
}

/** Groups values that are adjacent in memory. Values are usually in order, but not after a sort or a join. */
function runs(distant: Distant[]): Distant[][] {
  distant.sort((a, b) => a.address - b.address);
  const found: Distant[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const value of distant) {
    if (value.address - end <= LARGEST_GAP) found.at(-1)?.push(value);
    else found.push([value]);
    end = Math.max(end, value.address + value.length);
  }
  return found;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
