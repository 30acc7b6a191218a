/**
 * Reads rows as they arrive (MS-TDS §2.2.7.19, §2.2.7.13). A row is scanned by its lengths until it is complete, each
 * column once, and its values are read then: a long value arrives in thousands of packets.
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { failureOfColumn } from "../../src/connectors/unreadable-value.ts";
import type { Row, Value } from "../../src/result/types.ts";
import { type AnswerReader, MORE } from "./answer-reader.ts";
import { notTds } from "./failures.ts";
import type { ColumnType } from "./types.ts";

export interface ReadColumn extends ColumnType {
  readonly name: string;
}

/** More than a row of it would not fit into the memory of a Worker, through which it goes. */
const MOST_BYTES = 16 * 1024 * 1024;

const NO_SHORT = 0xffff;
const NO_CHUNKS = 0xff_ff_ff_ff_ff_ff_ff_ffn;
const UNKNOWN_LENGTH = 0xff_ff_ff_ff_ff_ff_ff_fen;
const TIMESTAMP_BYTES = 8;

export class RowReader {
  readonly #columns: readonly ReadColumn[];
  /** Progress of the scan of the current row, and the offset of its start from the reader's position. */
  #column = 0;
  #scanned = 0;
  /** Whether that position is between two chunks of the column's value. */
  #isWithinChunks = false;
  /** A bit for each column that is NULL, of rows that have them. */
  #nulls: Buffer | undefined;
  #hasBegun = false;

  constructor(columns: readonly ReadColumn[]) {
    this.#columns = columns;
  }

  /** Reads the row after the token. Throws `MORE`, and continues from the same point when it is called again. */
  read(reader: AnswerReader, isCompressed: boolean): Row {
    this.#scan(reader, isCompressed);
    const end = reader.at + this.#scanned;
    const nulls = this.#nulls;
    if (isCompressed) reader.skip((this.#columns.length + 7) >> 3);
    try {
      return this.#columns.map((column, index) => (isNull(nulls, index) ? null : valueOf(reader, column)));
    } finally {
      reader.at = end;
      this.#hasBegun = false;
    }
  }

  /** Skips the row without reading its values. Throws `MORE` like `read`. */
  pass(reader: AnswerReader, isCompressed: boolean): Row {
    this.#scan(reader, isCompressed);
    reader.at += this.#scanned;
    this.#hasBegun = false;
    return [];
  }

  #scan(reader: AnswerReader, isCompressed: boolean): void {
    const start = reader.at;
    if (!this.#hasBegun) {
      this.#nulls = undefined;
      if (isCompressed) {
        const bytes = (this.#columns.length + 7) >> 3;
        const from = reader.skip(bytes);
        this.#nulls = Buffer.from(reader.bytes.subarray(from, from + bytes));
      }
      this.#column = 0;
      this.#scanned = reader.at - start;
      this.#isWithinChunks = false;
      this.#hasBegun = true;
    }
    try {
      reader.at = start + this.#scanned;
      for (; this.#column < this.#columns.length; this.#column++) {
        if (!isNull(this.#nulls, this.#column))
          this.#passColumn(reader, this.#columns[this.#column] as ReadColumn, start);
        this.#scanned = reader.at - start;
      }
      reader.at = start;
    } catch (error) {
      reader.at = start;
      if (error === MORE && reader.held > MOST_BYTES) {
        throw new ConnectorFailure("SOURCE_ERROR", "A row is larger than the 16 MiB that fit.", {
          hint: "Select fewer or shorter columns.",
        });
      }
      throw error;
    }
  }

  /** Goes on behind the last whole chunk: from the first one again, a value of many chunks would take time by the square. */
  #passColumn(reader: AnswerReader, column: ReadColumn, start: number): void {
    if (column.framing !== "chunks") {
      passValue(reader, column);
      return;
    }
    if (!this.#isWithinChunks) {
      if (reader.uint64() === NO_CHUNKS) return;
      this.#isWithinChunks = true;
      this.#scanned = reader.at - start;
    }
    for (let length = reader.uint32(); length > 0; length = reader.uint32()) {
      reader.skip(length);
      this.#scanned = reader.at - start;
    }
    this.#isWithinChunks = false;
  }
}

function isNull(nulls: Buffer | undefined, index: number): boolean {
  return nulls !== undefined && ((nulls[index >> 3] as number) & (1 << (index & 7))) !== 0;
}

/** Skips a value outside rows, whose type precedes it. */
export function passValue(reader: AnswerReader, { framing }: ColumnType): void {
  if (framing === "chunks") {
    if (reader.uint64() === NO_CHUNKS) return;
    for (let length = reader.uint32(); length > 0; length = reader.uint32()) reader.skip(length);
    return;
  }
  reader.skip(lengthOf(reader, framing) ?? 0);
}

/** Undefined for NULL. */
function lengthOf(reader: AnswerReader, framing: Exclude<ColumnType["framing"], "chunks">): number | undefined {
  switch (framing) {
    case "byte":
      return reader.uint8() || undefined;
    case "short": {
      const length = reader.uint16();
      return length === NO_SHORT ? undefined : length;
    }
    case "pointer": {
      const pointer = reader.uint8();
      if (pointer === 0) return undefined;
      reader.skip(pointer + TIMESTAMP_BYTES);
      return reader.uint32();
    }
    case "long":
      return reader.uint32() || undefined;
    default:
      return framing;
  }
}

/** Length and end of a value. */
interface Extent {
  readonly length: number;
  readonly end: number;
}

/** Fails with `SOURCE_ERROR` for a value that has no canonical form, naming the column and not the value. */
function valueOf(reader: AnswerReader, column: ReadColumn): Value {
  const extent = column.framing === "chunks" ? joinChunks(reader) : plain(reader, column.framing);
  if (extent === undefined) return null;
  const { length, end } = extent;
  if (column.lengths !== undefined && !column.lengths.includes(length)) throw notTds();
  const from = reader.at;
  try {
    const value = column.read(reader, length);
    if (reader.at !== from + length) throw notTds();
    return value;
  } catch (error) {
    throw failureOfColumn(column.name, error, "VARBINARY(MAX)");
  } finally {
    reader.at = end;
  }
}

function plain(reader: AnswerReader, framing: Exclude<ColumnType["framing"], "chunks">): Extent | undefined {
  const length = lengthOf(reader, framing);
  return length === undefined ? undefined : { length, end: reader.at + length };
}

/** Joins the chunks of a value in place, at the first chunk; the bytes are not read again. Undefined for NULL. */
function joinChunks(reader: AnswerReader): Extent | undefined {
  const told = reader.uint64();
  if (told === NO_CHUNKS) return undefined;
  let from: number | undefined;
  let length = 0;
  for (let chunk = reader.uint32(); chunk > 0; chunk = reader.uint32()) {
    const at = reader.skip(chunk);
    from ??= at;
    if (at !== from + length) reader.bytes.copyWithin(from + length, at, at + chunk);
    length += chunk;
  }
  if (told !== UNKNOWN_LENGTH && told !== BigInt(length)) throw notTds();
  const end = reader.at;
  reader.at = from ?? end;
  return { length, end };
}
