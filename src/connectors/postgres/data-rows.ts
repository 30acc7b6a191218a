/** DataRow messages in their received form: a field count, then each field's length, -1 for NULL, and its text. */
import { Buffer } from "node:buffer";
import { notPostgres } from "./failures.ts";
import type { TextRow } from "./rows.ts";

const FIRST_CAPACITY = 8 * 1024;

const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_LENGTH = -1;

export class DataRows {
  /** Bodies of messages after their lengths, in sequence; bytes before `#begin` have been consumed. */
  #bytes = Buffer.alloc(FIRST_CAPACITY);
  #view = viewOf(this.#bytes);
  #begin = 0;
  #end = 0;
  #count = 0;

  /** Number of complete rows. */
  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#end - this.#begin;
  }

  /** Starts a message whose body has `length` bytes. */
  begin(length: number): void {
    // Space for the body is allocated as it arrives: a server can announce any length at no cost.
    this.#reserve(LENGTH_BYTES);
    this.#view.setUint32(this.#end, length);
    this.#end += LENGTH_BYTES;
  }

  /** A part of the body. */
  append(chunk: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    this.#bytes.set(chunk.subarray(from, to), this.#end);
    this.#end += to - from;
  }

  /** The message is complete. */
  finish(): void {
    this.#count++;
  }

  clear(): void {
    this.#begin = 0;
    this.#end = 0;
    this.#count = 0;
  }

  /** A cursor before the first row, valid until the next append. */
  cursor(): DataCursor {
    return new DataCursor(this.#bytes, this.#view, this.#begin);
  }

  /** Drops `rows` rows, which end at `cursor`. */
  drop(rows: number, cursor: DataCursor): void {
    this.#count -= rows;
    this.#begin = cursor.position;
    if (this.#begin === this.#end) this.clear();
  }

  /** All rows in the drivers' form. */
  texts(fields: number): TextRow[] {
    const cursor = this.cursor();
    return Array.from({ length: this.#count }, () => {
      cursor.beginRow(fields);
      const row = Array.from({ length: fields }, () => (cursor.next() ? cursor.text() : null));
      cursor.endRow();
      return row;
    });
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const held = this.byteLength;
    // Consumed bytes are overwritten before the buffer grows.
    const isEnough = held + bytes <= this.#bytes.length;
    const room = isEnough ? this.#bytes : Buffer.alloc(Math.max(held + bytes, this.#bytes.length * 2));
    this.#bytes.copy(room, 0, this.#begin, this.#end);
    this.#bytes = room;
    this.#view = viewOf(room);
    this.#begin = 0;
    this.#end = held;
  }
}

/** Iterates over rows, field by field. A field that exceeds its message violates the protocol. */
export class DataCursor {
  readonly bytes: Buffer;
  readonly #view: DataView;
  #rowEnd: number;
  /** The range of the current field. */
  from: number;
  to: number;

  constructor(bytes: Buffer, view: DataView, begin: number) {
    this.bytes = bytes;
    this.#view = view;
    this.#rowEnd = begin;
    this.from = begin;
    this.to = begin;
  }

  get position(): number {
    return this.#rowEnd;
  }

  /** Goes back to the start of the current row, or of an earlier one. */
  returnTo(position: number): void {
    this.#rowEnd = position;
  }

  beginRow(fields: number): void {
    const begin = this.#rowEnd + LENGTH_BYTES;
    this.#rowEnd = begin + this.#view.getUint32(this.#rowEnd);
    this.to = begin + COUNT_BYTES;
    if (this.to > this.#rowEnd || this.#view.getInt16(begin) !== fields) throw notPostgres();
  }

  /** Advances to the next field. False if it is NULL. */
  next(): boolean {
    const from = this.to + LENGTH_BYTES;
    if (from > this.#rowEnd) throw notPostgres();
    const length = this.#view.getInt32(this.to);
    this.from = from;
    this.to = from;
    if (length === NULL_LENGTH) return false;
    if (length < 0 || length > this.#rowEnd - from) throw notPostgres();
    this.to = from + length;
    return true;
  }

  endRow(): void {
    if (this.to !== this.#rowEnd) throw notPostgres();
  }

  text(): string {
    return this.bytes.toString("utf8", this.from, this.to);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
