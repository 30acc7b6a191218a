/**
 * The body of a result in `RowBinaryWithNamesAndTypes`, read in chunks: names and types, then the rows. An error after the first
 * rows is also in the body, because the status has already been sent, and nothing declares the number of rows: until the body's
 * end every row may be the last one before an exception.
 */

import type { SqlType } from "../../planner/plan.ts";
import { concatenated } from "../../result/bytes.ts";
import type { Batch, Column, Row } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { listOf, readList } from "../json-lists.ts";
import { failureOfColumn, UnreadableValue } from "../unreadable-value.ts";
import { BinaryReader, Incomplete } from "./binary-reader.ts";
import { exceptionWithin } from "./failures.ts";
import { parseTypeText } from "./type-text.ts";
import { type BinaryType, binaryType, bytesType, type ReadBinary } from "./values.ts";

const BATCH_ROWS = 1000;
/** Maximum size of a row, which must arrive completely before it is read. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;
/** A longer row is tried again only after half as much more of it has arrived. */
const LONG_ROW_BYTES = 32 * 1024;
/** Size of the kept end of the body, which contains the exception's text on servers before 25.11. */
const TAIL_BYTES = 16 * 1024;
const TAIL_PIECES = 16;

export class RowStream {
  readonly #reader = new BinaryReader();
  readonly #mark: Uint8Array | undefined;
  readonly #jsonAsText: boolean;
  readonly #meant: (column: number) => SqlType | undefined;
  #columns: readonly (Column & { readonly read: ReadBinary })[] | undefined;
  /** Bytes that may begin the mark of an exception. */
  #held = new Uint8Array(0);
  #tail: Uint8Array[] = [];
  #exception: Uint8Array | undefined;
  #wanted = 0;

  /**
   * `tag`: the exception's mark in this answer, if the server reports one. `jsonAsText`: the statement requested it. `meant`: the
   * plan's type of a column. A text need not be UTF-8 where that is bytes, and is a list of JSON where it is an array.
   */
  constructor(
    tag: string | null,
    jsonAsText: boolean,
    meant: (column: number) => SqlType | undefined = () => undefined,
  ) {
    this.#jsonAsText = jsonAsText;
    this.#meant = meant;
    if (tag !== null) this.#mark = new TextEncoder().encode(`\r\n__exception__\r\n${tag}\r\n`);
  }

  /** Known once the first bytes have arrived. */
  get columns(): readonly Column[] | undefined {
    return this.#columns?.map(({ name, type }) => ({ name, type }));
  }

  push(piece: Uint8Array): void {
    if (this.#exception !== undefined) {
      const room = TAIL_BYTES - this.#exception.length;
      if (room > 0) this.#exception = concatenated([this.#exception, piece.subarray(0, room)]);
      return;
    }
    if (this.#mark === undefined) {
      this.#keepTail(piece);
      this.#reader.append(piece);
      return;
    }
    const bytes = concatenated([this.#held, piece]);
    const at = indexOf(bytes, this.#mark);
    if (at.isWhole) this.#exception = bytes.slice(at.index + this.#mark.length).slice(0, TAIL_BYTES);
    this.#reader.append(bytes.subarray(0, at.index));
    this.#held = at.isWhole ? new Uint8Array(0) : bytes.slice(at.index);
  }

  /** Joins the last chunks occasionally: otherwise each of many small chunks would copy the whole tail. */
  #keepTail(piece: Uint8Array): void {
    this.#tail.push(piece.slice(-TAIL_BYTES));
    if (this.#tail.length >= TAIL_PIECES) this.#tail = [concatenated(this.#tail).slice(-TAIL_BYTES)];
  }

  /** The connection has ended: no more bytes follow. */
  end(): void {
    this.#reader.append(this.#held);
    this.#held = new Uint8Array(0);
    this.#wanted = 0;
  }

  /** The server's error, after the body has ended in any way. */
  exception(): string | undefined {
    const decoder = new TextDecoder();
    if (this.#exception !== undefined)
      return decoder.decode(this.#exception).replace(/(?<!\d)\d+ \w+\r\n__exception__\r\n$/, "");
    if (this.#mark !== undefined) return undefined;
    return exceptionWithin(decoder.decode(concatenated(this.#tail).slice(-TAIL_BYTES)));
  }

  /** Whether unread bytes are left that are not a row. */
  isCut(): boolean {
    return this.#columns === undefined || this.#reader.left > 0;
  }

  /** The rows that have arrived, in batches; undefined if there are none. Throws `ConnectorFailure`. */
  rows(): Iterator<Batch> | undefined {
    try {
      this.#columns ??= this.#whole(() => this.#readColumns());
    } catch (cause) {
      if (!(cause instanceof UnreadableValue)) throw cause;
      throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer does not begin with names and types.", { cause });
    }
    if (this.#columns === undefined) return undefined;
    const first = this.#batch();
    return first.length === 0 ? undefined : this.#batches(first);
  }

  *#batches(first: Row[]): Generator<Batch, void> {
    for (let batch = first; batch.length > 0; batch = this.#batch()) yield batch;
  }

  #batch(): Row[] {
    const rows: Row[] = [];
    const columns = this.#columns ?? [];
    while (rows.length < BATCH_ROWS && this.#reader.left > 0) {
      const row = this.#whole(() => this.#readRow(columns));
      if (row === undefined) break;
      rows.push(row);
    }
    return rows;
  }

  /** Undefined, with nothing read, if the value has not arrived completely. */
  #whole<T>(read: () => T): T | undefined {
    const { position, left } = this.#reader;
    if (left < this.#wanted) return undefined;
    this.#wanted = 0;
    let value: T | undefined;
    let size: number;
    try {
      value = read();
      size = this.#reader.position - position;
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error;
      // The length that a text announces counts before the text has arrived.
      size = this.#reader.needed - position;
      this.#reader.position = position;
      this.#wanted = left > LONG_ROW_BYTES ? Math.max(size, Math.min(left * 1.5, MAX_ROW_BYTES)) : size;
    }
    if (size > MAX_ROW_BYTES) {
      throw new ConnectorFailure("SOURCE_ERROR", `A row is larger than the ${MAX_ROW_BYTES} bytes that fit.`);
    }
    return value;
  }

  #readColumns(): (Column & { readonly read: ReadBinary })[] {
    const count = this.#reader.count();
    if (count > this.#reader.left) throw new Incomplete();
    const texts = Array.from({ length: 2 * count }, () => this.#reader.text(this.#reader.count()));
    return texts.slice(0, count).map((name, index) => {
      const written = texts[count + index] as string;
      const text = parseTypeText(written);
      const meant = this.#meant(index);
      const bytes = text && meant?.kind === "binary" ? bytesType(text) : undefined;
      const type = bytes ?? (!this.#jsonAsText && /\bJSON\b/.test(written) ? undefined : text && binaryType(text));
      if (type !== undefined) return { name, ...listMeant(type, meant) };
      const message = `Column "${name}" has type ${written.slice(0, 200)}, which is not supported on ClickHouse.`;
      throw new ConnectorFailure("SOURCE_ERROR", message, { hint: "Cast the column to String." });
    });
  }

  #readRow(columns: readonly (Column & { readonly read: ReadBinary })[]): Row {
    return columns.map(({ name, read }) => {
      try {
        return read(this.#reader);
      } catch (error) {
        if (error instanceof Incomplete) throw error;
        throw failureOfColumn(name, error, "String");
      }
    });
  }
}

/** A text as a list, if the plan has an array. */
function listMeant({ type, read }: BinaryType, meant: SqlType | undefined): BinaryType {
  const list = type.kind === "string" ? listOf(meant) : undefined;
  if (list === undefined) return { type, read };
  return {
    type: list,
    read: (from) => {
      const text = read(from);
      return typeof text === "string" ? readList(text, list) : text;
    },
  };
}

/** Position of `mark`, or of its possible beginning at the end of `bytes`. */
function indexOf(bytes: Uint8Array, mark: Uint8Array): { readonly index: number; readonly isWhole: boolean } {
  const [begin = 0] = mark;
  for (let index = bytes.indexOf(begin); index >= 0; index = bytes.indexOf(begin, index + 1)) {
    let length = 1;
    while (length < mark.length && bytes[index + length] === mark[length]) length++;
    if (length === mark.length) return { index, isWhole: true };
    if (index + length === bytes.length) return { index, isWhole: false };
  }
  return { index: bytes.length, isWhole: false };
}
