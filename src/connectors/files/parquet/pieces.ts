/** Reads indexes and filters, which are outside of the values and the footer, where they may save more bytes than they take. */
import type { FileNeed } from "../need.ts";
import type { Footer, RowGroup } from "./footer.ts";
import { type ByteRange, joined, neededColumns } from "./projection.ts";

/** The bytes of the file from `start` to before `end`. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** Limit per kind of index and per file. */
const MOST_BYTES = 1024 * 1024;
/** An index is read if it may save this many times its own bytes. */
const WORTH = 4;

/** Whether reading `bytes` of an index is worthwhile for a group of `groupBytes`. */
export const isWorth = (bytes: number, groupBytes: number): boolean => bytes * WORTH <= groupBytes;

/** The bytes at each position; undefined if there are none, or they are too many. */
export async function readPieces(
  places: readonly ByteRange[],
  read: ReadBytes,
): Promise<((place: ByteRange) => Uint8Array) | undefined> {
  const ranges = joined(places);
  if (ranges.length === 0 || ranges.reduce((sum, { start, end }) => sum + end - start, 0) > MOST_BYTES)
    return undefined;
  const fetched: { readonly range: ByteRange; readonly bytes: Uint8Array }[] = [];
  for (const range of ranges) fetched.push({ range, bytes: await read(range.start, range.end) });
  return ({ start, end }) => {
    const found = fetched.find(({ range }) => range.start <= start && end <= range.end);
    return found?.bytes.subarray(start - found.range.start, end - found.range.start) ?? new Uint8Array(0);
  };
}

/** The size of a group's needed columns in the file. */
export function bytesOfGroup({ chunks }: RowGroup, { columns }: Footer, need: FileNeed): number {
  let size = 0;
  for (const { firstLeaf, leaves } of neededColumns(columns, need)) {
    for (const { start, end } of chunks.slice(firstLeaf, firstLeaf + leaves)) size += end - start;
  }
  return size;
}
