/** Byte buffers for frames: a growing writer and a bounded reader; numbers are big-endian. */
import { isUtf8 } from "../../text/utf8.ts";

const SMALLEST_CAPACITY = 1024;

/** Up to this length a loop is faster than a call into the platform's encoder or decoder. */
const SHORT_TEXT = 24;

/** The same limit for copying bytes, which starts with creating a view. */
const SHORT_COPY = 64;

const LONE_SURROGATE = 2;
/** Form byte of a text in UTF-8. */
export const WELL_FORMED = 1;

export class ByteWriter {
  #buffer: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;
  readonly #utf8 = new TextEncoder();

  constructor(capacity: number = SMALLEST_CAPACITY) {
    this.#buffer = new Uint8Array(capacity);
    this.#view = new DataView(this.#buffer.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** Discards everything from `length` on and keeps the memory. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** A copy of the written bytes, or of a range of them. */
  bytes(from = 0, to: number = this.#length): Uint8Array {
    return this.#buffer.slice(from, to);
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value);
    this.#length += 4;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value);
    this.#length += 4;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  int64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigInt64(this.#length, value);
    this.#length += 8;
  }

  uint64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigUint64(this.#length, value);
    this.#length += 8;
  }

  /** Overwrites four bytes that were written before. */
  patchUint32(position: number, value: number): void {
    this.#view.setUint32(position, value);
  }

  /** Bytes after their length. */
  blob(bytes: Uint8Array): void {
    this.uint32(bytes.length);
    this.raw(bytes);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /**
   * A form byte, a length and the text: UTF-8, or UTF-16 code units where a lone surrogate would not survive UTF-8 (a source that
   * cuts text by code units sends lone surrogates, and a cached answer must be equal to the first one).
   */
  text(text: string): void {
    if (text.length <= SHORT_TEXT && this.#shortAscii(text)) return;
    if (!text.isWellFormed()) {
      this.#codeUnits(text);
      return;
    }
    this.#reserve(5 + text.length * 3);
    const { written } = this.#utf8.encodeInto(text, this.#buffer.subarray(this.#length + 5));
    this.#buffer[this.#length] = WELL_FORMED;
    this.#view.setUint32(this.#length + 1, written);
    this.#length += 5 + written;
  }

  /** A text that is already UTF-8. */
  utf8(source: Uint8Array, from: number, to: number): void {
    const length = to - from;
    this.#reserve(5 + length);
    const start = this.#length + 5;
    const buffer = this.#buffer;
    if (length > SHORT_COPY) buffer.set(source.subarray(from, to), start);
    else for (let index = 0; index < length; index++) buffer[start + index] = source[from + index] as number;
    buffer[this.#length] = WELL_FORMED;
    this.#view.setUint32(this.#length + 1, length);
    this.#length = start + length;
  }

  #shortAscii(text: string): boolean {
    this.#reserve(5 + text.length);
    const start = this.#length + 5;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) return false;
      this.#buffer[start + index] = code;
    }
    this.#buffer[this.#length] = WELL_FORMED;
    this.#view.setUint32(this.#length + 1, text.length);
    this.#length = start + text.length;
    return true;
  }

  #codeUnits(text: string): void {
    this.uint8(LONE_SURROGATE);
    this.uint32(text.length * 2);
    this.#reserve(text.length * 2);
    for (let index = 0; index < text.length; index++) {
      this.#view.setUint16(this.#length, text.charCodeAt(index));
      this.#length += 2;
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Bounds-checked reader. A read beyond the bytes, or of invalid text, throws `RangeError` or `TypeError`. */
export class ByteReader {
  /** All bytes of the reader. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  // A byte order mark at the start of a value is part of the value.
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#position;
  }

  /** Goes back to an earlier position. */
  rewind(position: number): void {
    this.#position = position;
  }

  get remaining(): number {
    return this.bytes.length - this.#position;
  }

  uint8(): number {
    return this.#view.getUint8(this.take(1));
  }

  uint32(): number {
    return this.#view.getUint32(this.take(4));
  }

  int32(): number {
    return this.#view.getInt32(this.take(4));
  }

  float64(): number {
    return this.#view.getFloat64(this.take(8));
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.take(8));
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.take(8));
  }

  /** Returns a copy, because the frame's buffer is reused. */
  blob(): Uint8Array {
    const length = this.uint32();
    const from = this.take(length);
    return this.bytes.slice(from, from + length);
  }

  text(): string {
    const form = this.uint8();
    const length = this.uint32();
    const from = this.take(length);
    if (form === WELL_FORMED) return this.#wellFormed(from, length);
    if (form !== LONE_SURROGATE || length % 2 !== 0) throw new RangeError("Not a form of text.");
    let text = "";
    for (let index = 0; index < length; index += 2) text += String.fromCharCode(this.#view.getUint16(from + index));
    return text;
  }

  /** Skips a text, and throws where `text` would. */
  passText(): void {
    const form = this.uint8();
    const length = this.uint32();
    const from = this.take(length);
    const isText =
      form === WELL_FORMED ? isUtf8(this.bytes, from, from + length) : form === LONE_SURROGATE && length % 2 === 0;
    if (!isText) throw new RangeError("Not a form of text.");
  }

  #wellFormed(from: number, length: number): string {
    if (length > SHORT_TEXT) return this.#utf8.decode(this.bytes.subarray(from, from + length));
    let text = "";
    for (let index = from; index < from + length; index++) {
      const code = this.bytes[index] ?? 0;
      if (code > 127) return this.#utf8.decode(this.bytes.subarray(from, from + length));
      text += String.fromCharCode(code);
    }
    return text;
  }

  /** Returns the current position after checking that `bytes` more exist and skipping them. */
  take(bytes: number): number {
    const from = this.#position;
    if (bytes > this.bytes.length - from) throw new RangeError("Beyond the end of the bytes.");
    this.#position = from + bytes;
    return from;
  }
}
