/**
 * Strings and blobs: 16 bytes each, of which the first four are the length. Up to twelve bytes follow in place; a longer
 * value stands elsewhere, and the last eight bytes say where.
 *
 * The binding copies what a pointer points to, at about a microsecond a call. Neighbours in memory are therefore copied
 * together: a column of comments is read in a fifth of the time.
 */
import duckdb from "@duckdb/node-bindings";
import type { Value } from "../../src/result/types.ts";
import { nullMask, type RawVector } from "./vector.ts";

const ENTRY_BYTES = 16;
const IN_PLACE_BYTES = 12;
/**
 * Bytes between two values that are copied along with them. Below the size of a page (4 KiB at least), both ends of a
 * gap lie in pages that hold values and nothing between them can be unmapped: a larger step ends in a crash.
 */
const LARGEST_GAP = 256;

export function readStrings(vector: RawVector, count: number): Value[] {
  return read(vector, count, (buffer, start, end) => buffer.toString("utf8", start, end));
}

export function readBytes(vector: RawVector, count: number): Value[] {
  return read(vector, count, (buffer, start, end) => new Uint8Array(buffer.subarray(start, end)));
}

function read(vector: RawVector, count: number, take: (buffer: Buffer, start: number, end: number) => Value): Value[] {
  const entries = bufferOf(duckdb.vector_get_data(vector, count * ENTRY_BYTES));
  const isNull = nullMask(vector, count);
  const values = new Array<Value>(count);
  const distant: Distant[] = [];
  for (let i = 0; i < count; i++) {
    if (isNull(i)) {
      values[i] = null;
      continue;
    }
    const entry = i * ENTRY_BYTES;
    const length = entries.readUInt32LE(entry);
    if (length <= IN_PLACE_BYTES) {
      values[i] = take(entries, entry + 4, entry + 4 + length);
    } else {
      // User-space addresses have 47 or 48 bits: a number holds them exactly.
      const address = entries.readUInt32LE(entry + 12) * 0x1_0000_0000 + entries.readUInt32LE(entry + 8);
      distant.push({ index: i, address, length });
    }
  }
  for (const run of runs(distant)) {
    const first = run[0];
    const start = first?.address ?? 0;
    const end = run.reduce((last, { address, length }) => Math.max(last, address + length), start);
    const pointer = entries.byteOffset + (first?.index ?? 0) * ENTRY_BYTES + 8;
    const copy = bufferOf(duckdb.get_data_from_pointer(entries.buffer as ArrayBuffer, pointer, end - start));
    for (const { index, address, length } of run) values[index] = take(copy, address - start, address - start + length);
  }
  return values;
}

interface Distant {
  readonly index: number;
  readonly address: number;
  readonly length: number;
}

/** Values that stand next to each other in memory. Mostly they come in order; after a sort or a join they do not. */
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
