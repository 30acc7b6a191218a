/**
 * Skips row groups by Bloom filters, in addition to statistics: split block filters of XXH64
 * (https://github.com/apache/parquet-format/blob/master/BloomFilter.md). A value that a filter does not contain is not in its
 * group; one that it contains may be. A group with an invalid filter is kept.
 */
import type { ScanFilter, ScanValue } from "../../../planner/plan.ts";
import type { FileNeed } from "../need.ts";
import { readStructAt, type Struct } from "./compact-protocol.ts";
import { meaningOf, NANOSECONDS_OF_A_DAY, PHYSICAL } from "./element-type.ts";
import { type Chunk, type Footer, integerOf, type RowGroup } from "./footer.ts";
import { bytesOfGroup, isWorth, type ReadBytes, readPieces } from "./pieces.ts";
import { type ByteRange, isNeeded, leafOf } from "./projection.ts";
import { nanoseconds, scaledNumber } from "./statistics.ts";
import { xxHash64 } from "./xxhash64.ts";

export async function withinBloomFilters(footer: Footer, need: FileNeed, read: ReadBytes): Promise<Footer> {
  const groups = footer.rowGroups.filter((group) => isNeeded(group, footer.columns, need));
  const asked = new Map<Chunk, ByteRange>();
  for (const group of groups) {
    const size = bytesOfGroup(group, footer, need);
    for (const filter of need.uses.flat()) {
      const test = testOf(filter, group, footer);
      if (test !== undefined && isWorth(test.place.end - test.place.start, size)) asked.set(test.chunk, test.place);
    }
  }
  const pieceAt = await readPieces([...asked.values()], read);
  if (pieceAt === undefined) return footer;
  const filters = new Map([...asked].map(([chunk, place]) => [chunk, readFilter(pieceAt(place))]));
  const mayHold = (filter: ScanFilter, group: RowGroup): boolean => {
    const test = testOf(filter, group, footer);
    const bits = test && filters.get(test.chunk);
    return test === undefined || bits === undefined || test.values.some((value) => knows(bits, xxHash64(value)));
  };
  const rowGroups = groups.filter((group) =>
    need.uses.some(
      (filters) =>
        isNeeded(group, footer.columns, { ...need, uses: [filters] }) &&
        filters.every((filter) => mayHold(filter, group)),
    ),
  );
  return { ...footer, rowGroups };
}

interface Test {
  readonly chunk: Chunk;
  /** Position of the filter in the file. */
  readonly place: ByteRange;
  /** The values in their stored form. */
  readonly values: readonly Uint8Array[];
}

/** Undefined if there is no filter, or it does not support the values. */
function testOf(filter: ScanFilter, group: RowGroup, { columns, start: end }: Footer): Test | undefined {
  const leaf = filter.operator === "=" ? leafOf(filter, columns, group) : undefined;
  if (leaf === undefined) return undefined;
  const { element, chunk } = leaf;
  const at = Number(integerOf(chunk.metadata, 14) ?? 0n);
  const length = Number(integerOf(chunk.metadata, 15) ?? 0n);
  if (at < 4 || length <= 0 || at + length > end) return undefined;
  const values = filter.values.map((value) => storedValue(value, element));
  if (!values.every((value) => value !== undefined)) return undefined;
  return { chunk, place: { start: at, end: at + length }, values };
}

/** Undefined if a column may store the value in another form, or cannot store it. */
function storedValue(value: ScanValue, element: Struct): Uint8Array | undefined {
  const physical = integerOf(element, 1);
  const meaning = meaningOf(element);
  if (meaning === undefined) return undefined;
  if (physical === PHYSICAL.bytes && meaning.of === "text" && value.kind === "text") {
    return new TextEncoder().encode(value.text);
  }
  const width = physical === PHYSICAL.int32 ? 4 : physical === PHYSICAL.int64 ? 8 : undefined;
  const number = meaning.of === "moment" ? dayNumber(value, meaning.factor) : wholeNumber(value);
  if (width === undefined || number === undefined || (meaning.scale ?? 0) !== 0) return undefined;
  if (BigInt.asIntN(8 * width, number) !== number) return undefined;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, number, true);
  return bytes.subarray(0, width);
}

function wholeNumber(value: ScanValue): bigint | undefined {
  const number = scaledNumber(value);
  return number?.scale === 0 ? number.digits : undefined;
}

function dayNumber(value: ScanValue, factor: bigint | undefined): bigint | undefined {
  if (value.kind !== "date" || factor !== NANOSECONDS_OF_A_DAY) return undefined;
  const moment = nanoseconds(value);
  return moment && moment.digits / factor;
}

/** Blocks of eight words. */
type BlockFilter = DataView;
const BLOCK_BYTES = 32;
/** The only defined algorithm, hash and compression. */
const ONLY_ONE = 1;

function readFilter(bytes: Uint8Array): BlockFilter | undefined {
  try {
    const { struct, length } = readStructAt(bytes);
    const size = Number(integerOf(struct, 1) ?? -1n);
    const isKnown = [2, 3, 4].every((id) => {
      const union = struct.get(id);
      return union?.type === "struct" && union.value.has(ONLY_ONE);
    });
    if (!isKnown || size <= 0 || size % BLOCK_BYTES !== 0 || length + size > bytes.length) return undefined;
    return new DataView(bytes.buffer, bytes.byteOffset + length, size);
  } catch {
    return undefined;
  }
}

const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31] as const;

function knows(filter: BlockFilter, hash: bigint): boolean {
  const block = Number(((hash >> 32n) * BigInt(filter.byteLength / BLOCK_BYTES)) >> 32n) * BLOCK_BYTES;
  const key = Number(hash & 0xffffffffn);
  return SALTS.every((salt, word) => {
    const bit = Math.imul(key, salt) >>> 27;
    return ((filter.getUint32(block + 4 * word, true) >>> bit) & 1) === 1;
  });
}
