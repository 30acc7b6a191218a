/** What stands in a file beside its values and its footer: read for a statement where it may spare more than it takes. */
import type { FileNeed } from "../need.ts";
import type { Footer, RowGroup } from "./footer.ts";
import { type ByteRange, joined, neededColumns } from "./projection.ts";

/** The bytes of the file from `start` to before `end`. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** Of each kind, for one file. */
const MOST_BYTES = 1024 * 1024;
/** A piece is read where it may spare so many times its own bytes. */
const WORTH = 4;

/** Whether a group of `groupBytes` is worth reading so much about. */
export const isWorth = (bytes: number, groupBytes: number): boolean => bytes * WORTH <= groupBytes;

/** The bytes of each of these places; undefined where there are none, or they are too many. */
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

/** What a group takes of the file, in the columns that are needed. */
export function bytesOfGroup({ chunks }: RowGroup, { columns }: Footer, need: FileNeed): number {
  let size = 0;
  for (const { firstLeaf, leaves } of neededColumns(columns, need)) {
    for (const { start, end } of chunks.slice(firstLeaf, firstLeaf + leaves)) size += end - start;
  }
  return size;
}
