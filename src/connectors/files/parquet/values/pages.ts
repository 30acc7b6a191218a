/**
 * Reads the values of a column in one row group with their levels, page by page
 * (https://github.com/apache/parquet-format/blob/master/README.md#data-pages). Sizes in a page are checked against the actual
 * bytes before memory is allocated.
 */

import { Beyond } from "../../beyond.ts";
import { readStructAt, type Struct } from "../compact-protocol.ts";
import { ParquetFault } from "../fault.ts";
import { type Chunk, integerOf } from "../footer.ts";
import { assertStructure, PAGE_HEADER } from "../structures.ts";
import { Cursor, tooShort } from "./bytes.ts";
import type { Leaf } from "./column-tree.ts";
import { decompress, isKnownCodec, UNCOMPRESSED } from "./decompress.ts";
import { readDeltas, readLengthTexts, readPrefixTexts } from "./delta.ts";
import { type Dense, Fixed, type Take, Texts } from "./dense.ts";
import { PHYSICAL, rawWidth } from "./leaf-type.ts";
import type { Levels } from "./levels.ts";
import { readRuns } from "./runs.ts";

export interface ChunkValues extends Levels {
  /** The values that are not NULL. */
  readonly values: Dense;
}

/** Larger pages are not supported. */
const MOST_PAGE_BYTES = 16 * 1024 * 1024;

/** Each function is called with a number of bytes before they take memory or time, and throws if they are too many. */
export interface PageRoom {
  /** Bytes that are held until the end of the row group. */
  readonly hold: Take;
  /** Decompressed bytes of pages, held or not. */
  readonly unpack: (bytes: number) => void;
}

const PAGE = { data: 0, index: 1, dictionary: 2, data2: 3 } as const;
const ENCODING = {
  plain: 0,
  plainDictionary: 2,
  runs: 3,
  deltas: 5,
  lengths: 6,
  prefixes: 7,
  dictionary: 8,
  split: 9,
} as const;

/** `bytes` of the chunk are already in memory. Throws `ParquetFault`, `Beyond` and the errors of `room`. */
export function readChunk(
  leaf: Leaf,
  { metadata }: Pick<Chunk, "metadata">,
  bytes: Uint8Array,
  room: PageRoom,
): ChunkValues {
  const reader = new ChunkReader(leaf, Number(integerOf(metadata, 4) ?? -1n), room);
  const count = Number(integerOf(metadata, 5) ?? -1n);
  if (count < 0 || count > 100_000_000) throw new ParquetFault("It does not say how many values there are.");
  return reader.read(bytes, count);
}

class ChunkReader {
  readonly #leaf: Leaf;
  readonly #codec: number;
  readonly #take: Take;
  readonly #room: PageRoom;
  readonly #physical: number;
  readonly #width: number | undefined;
  #dictionary: Dense | undefined;
  #values: Dense;

  constructor(leaf: Leaf, codec: number, room: PageRoom) {
    if (!isKnownCodec(codec)) throw new Beyond(`the compression of its column "${leaf.column}"`);
    this.#leaf = leaf;
    this.#codec = codec;
    this.#room = room;
    this.#take = room.hold;
    this.#physical = Number(integerOf(leaf.element, 1) ?? -1n);
    this.#width = rawWidth(leaf.element);
    this.#values = this.#empty();
  }

  read(bytes: Uint8Array, count: number): ChunkValues {
    const { maxDefinition, maxRepetition } = this.#leaf;
    this.#take(count * ((maxDefinition > 0 ? 1 : 0) + (maxRepetition > 0 ? 1 : 0)));
    const definitions = maxDefinition > 0 ? new Uint8Array(count) : undefined;
    const repetitions = maxRepetition > 0 ? new Uint8Array(count) : undefined;
    let at = 0;
    let have = 0;
    while (have < count) {
      const { struct: head, length } = readStructAt(bytes.subarray(at));
      assertStructure(head, PAGE_HEADER);
      at += length;
      const size = sizeIn(head, 2);
      const packed = sizeIn(head, 3);
      if (at + packed > bytes.length) throw tooShort();
      const body = bytes.subarray(at, at + packed);
      at += packed;
      const kind = Number(integerOf(head, 1) ?? -1n);
      if (kind === PAGE.dictionary) this.#unpacked(body, size, (page) => this.#readDictionary(inside(head, 7), page));
      else if (kind === PAGE.data || kind === PAGE.data2) {
        const own = inside(head, kind === PAGE.data ? 5 : 8);
        const slots = sizeIn(own, 1);
        if (have + slots > count) throw new ParquetFault("A page of it has more values than its column.");
        const levels = {
          definitions: definitions?.subarray(have, have + slots),
          repetitions: repetitions?.subarray(have, have + slots),
        };
        if (kind === PAGE.data) this.#unpacked(body, size, (page) => this.#readData(own, page, slots, levels));
        else this.#readData2(own, body, size, slots, levels);
        have += slots;
      }
    }
    return { count, definitions, repetitions, values: this.#values };
  }

  /** An uncompressed page is a part of the chunk. */
  #unpacked(body: Uint8Array, size: number, read: (page: Uint8Array) => void): void {
    if (this.#codec === UNCOMPRESSED) {
      read(decompress(this.#codec, body, size));
      return;
    }
    this.#room.unpack(size);
    this.#take(size);
    const page = decompress(this.#codec, body, size);
    read(page);
    const isKept = [this.#values, this.#dictionary].some(
      (kept) => kept instanceof Fixed && kept.bytes.buffer === page.buffer,
    );
    if (!isKept) this.#take(-size);
  }

  #empty(): Dense {
    const { convert, arrow } = this.#leaf.type;
    // A conversion also defines the result for no values.
    if (convert !== undefined) return convert(this.#raw(), this.#take);
    return arrow.kind === "text" || arrow.kind === "binary" ? new Texts(this.#take) : this.#raw();
  }

  #raw(bytes?: Uint8Array): Dense {
    return this.#width === undefined ? new Texts(this.#take) : new Fixed(this.#width, this.#take, bytes);
  }

  #readDictionary(head: Struct, page: Uint8Array): void {
    const encoding = sizeIn(head, 2);
    if (encoding !== ENCODING.plain && encoding !== ENCODING.plainDictionary) throw this.#unknownEncoding();
    this.#dictionary = this.#converted(this.#plain(new Cursor(page), sizeIn(head, 1)));
  }

  #readData(head: Struct, page: Uint8Array, slots: number, levels: PageLevels): void {
    const cursor = new Cursor(page);
    const { maxDefinition, maxRepetition } = this.#leaf;
    const level = (most: number, into: Uint8Array | undefined, encoding: number): void => {
      if (into === undefined) return;
      if (encoding !== ENCODING.runs) throw this.#unknownEncoding();
      readRuns(new Cursor(cursor.take(cursor.uint32())), bitsOf(most), into);
    };
    level(maxRepetition, levels.repetitions, sizeIn(head, 4));
    level(maxDefinition, levels.definitions, sizeIn(head, 3));
    this.#add(cursor, sizeIn(head, 2), this.#present(levels, slots));
  }

  #readData2(head: Struct, body: Uint8Array, size: number, slots: number, levels: PageLevels): void {
    const definitionBytes = sizeIn(head, 5);
    const repetitionBytes = sizeIn(head, 6);
    const cursor = new Cursor(body);
    const repetitions = cursor.take(repetitionBytes);
    const definitions = cursor.take(definitionBytes);
    const { maxDefinition, maxRepetition } = this.#leaf;
    if (levels.repetitions) readRuns(new Cursor(repetitions), bitsOf(maxRepetition), levels.repetitions);
    if (levels.definitions) readRuns(new Cursor(definitions), bitsOf(maxDefinition), levels.definitions);
    const compressed = head.get(7);
    const isPlain = compressed?.type === "boolean" && !compressed.value;
    const rest = body.subarray(cursor.at);
    const left = size - definitionBytes - repetitionBytes;
    if (left < 0) throw tooShort();
    const add = (page: Uint8Array): void => this.#add(new Cursor(page), sizeIn(head, 4), this.#present(levels, slots));
    if (isPlain) add(rest);
    else this.#unpacked(rest, left, add);
  }

  #present({ definitions }: PageLevels, slots: number): number {
    if (definitions === undefined) return slots;
    const { maxDefinition } = this.#leaf;
    let present = 0;
    for (const level of definitions) {
      if (level === maxDefinition) present++;
      else if (level > maxDefinition) throw new ParquetFault("A level in it is higher than any.");
    }
    return present;
  }

  #add(cursor: Cursor, encoding: number, count: number): void {
    if (count === 0) return;
    if (encoding === ENCODING.dictionary || encoding === ENCODING.plainDictionary) {
      if (this.#dictionary === undefined) throw new ParquetFault("A page of it has no dictionary.");
      const room = count * Uint32Array.BYTES_PER_ELEMENT;
      this.#take(room);
      const places = new Uint32Array(count);
      readRuns(cursor, cursor.byte(), places);
      gather(this.#values, this.#dictionary, places);
      this.#take(-room);
      return;
    }
    const page = this.#converted(this.#encoded(cursor, encoding, count));
    // Most columns have few pages: the values of the first one need no copy.
    if (this.#values.count === 0) this.#values = page;
    else append(this.#values, page);
  }

  #converted(raw: Dense): Dense {
    return this.#leaf.type.convert?.(raw, this.#take) ?? raw;
  }

  #encoded(cursor: Cursor, encoding: number, count: number): Dense {
    const physical = this.#physical;
    switch (encoding) {
      case ENCODING.plain:
        return this.#plain(cursor, count);
      case ENCODING.runs: {
        if (physical !== PHYSICAL.boolean) break;
        // Preceded by its length.
        this.#take(count);
        const bytes = new Uint8Array(count);
        readRuns(new Cursor(cursor.take(cursor.uint32())), 1, bytes);
        return new Fixed(1, this.#take, bytes);
      }
      case ENCODING.deltas: {
        if (physical !== PHYSICAL.int32 && physical !== PHYSICAL.int64) break;
        this.#take(count * (this.#width ?? 0));
        const numbers = physical === PHYSICAL.int32 ? new Int32Array(count) : new BigInt64Array(count);
        readDeltas(cursor, numbers);
        return new Fixed(numbers.BYTES_PER_ELEMENT, this.#take, new Uint8Array(numbers.buffer));
      }
      case ENCODING.lengths: {
        if (physical !== PHYSICAL.bytes) break;
        const texts = new Texts(this.#take);
        readLengthTexts(cursor, count, texts);
        return texts;
      }
      case ENCODING.prefixes: {
        if (physical !== PHYSICAL.bytes && physical !== PHYSICAL.fixed) break;
        const texts = new Texts(this.#take);
        readPrefixTexts(cursor, count, texts);
        if (this.#width === undefined) return texts;
        if (texts.data.length !== count * this.#width || texts.offsets.some((at, i) => at !== i * (this.#width ?? 0))) {
          throw new ParquetFault("Values in it are not as long as it says.");
        }
        return this.#raw(texts.data);
      }
      case ENCODING.split:
        // DuckDB 1.4 reads this encoding only for float and double.
        if (this.#width === undefined || (physical !== PHYSICAL.float && physical !== PHYSICAL.double)) break;
        return this.#raw(joined(cursor.take(count * this.#width), count, this.#width));
      default:
    }
    throw this.#unknownEncoding();
  }

  #unknownEncoding(): Beyond {
    return new Beyond(`the encoding of its column "${this.#leaf.column}"`);
  }

  #plain(cursor: Cursor, count: number): Dense {
    if (this.#physical === PHYSICAL.boolean) {
      const packed = cursor.take((count + 7) >> 3);
      this.#take(count);
      const bytes = Uint8Array.from({ length: count }, (_, i) => ((packed[i >> 3] ?? 0) >> (i & 7)) & 1);
      return new Fixed(1, this.#take, bytes);
    }
    if (this.#width !== undefined) return this.#raw(cursor.take(count * this.#width));
    const texts = new Texts(this.#take);
    for (let i = 0; i < count; i++) texts.add(cursor.take(cursor.uint32()));
    return texts;
  }
}

type PageLevels = Omit<Levels, "count">;

function gather(into: Dense, from: Dense, places: Uint32Array): void {
  if (into instanceof Fixed && from instanceof Fixed) into.gather(from, places);
  else if (into instanceof Texts && from instanceof Texts) into.gather(from, places);
}

function append(into: Dense, from: Dense): void {
  if (into instanceof Fixed && from instanceof Fixed) into.append(from);
  else if (into instanceof Texts && from instanceof Texts) into.append(from);
}

/** Reassembles values from the first bytes of all values, then the second ones, and so on. */
function joined(split: Uint8Array, count: number, width: number): Uint8Array {
  const bytes = new Uint8Array(split.length);
  for (let byte = 0; byte < width; byte++) {
    for (let i = 0; i < count; i++) bytes[i * width + byte] = split[byte * count + i] ?? 0;
  }
  return bytes;
}

function bitsOf(most: number): number {
  return 32 - Math.clz32(most);
}

function sizeIn(struct: Struct, id: number): number {
  const size = Number(integerOf(struct, id) ?? -1n);
  if (size < 0) throw new ParquetFault("A page of it does not say what it is.");
  if (size > MOST_PAGE_BYTES) throw new Beyond(`a page of ${size} bytes`);
  return size;
}

function inside(head: Struct, id: number): Struct {
  const field = head.get(id);
  if (field?.type !== "struct") throw new ParquetFault("A page of it does not say what it is.");
  return field.value;
}
