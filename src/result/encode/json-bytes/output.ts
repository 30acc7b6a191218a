/** A growing buffer of JSON bytes. ASCII values are written digit by digit, without intermediate strings. */
const FIRST_CAPACITY = 4096;

const QUOTE = 0x22;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const HEX = "0123456789abcdef";

/** An escape takes up to six bytes, and space is reserved for this many characters at a time. */
const SEGMENT = 1024;
const LONGEST_ESCAPE = 6;

/** The short escapes of `JSON.stringify`, by character code. */
const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [8, "b"],
  [9, "t"],
  [10, "n"],
  [12, "f"],
  [13, "r"],
  [QUOTE, '"'],
  [BACKSLASH, "\\"],
]);

/** The digits of 0 to 99. */
const TENS = Uint8Array.from({ length: 100 }, (_, value) => ZERO + Math.floor(value / 10));
const ONES = Uint8Array.from({ length: 100 }, (_, value) => ZERO + (value % 10));

const TWO_32 = 2 ** 32;
const BILLION = 1_000_000_000;
const MILLION = 1_000_000;

export class JsonOutput {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  readonly #utf8 = new TextEncoder();

  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the written bytes and clears the buffer; the memory is reused. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Discards everything from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  byte(byte: number): void {
    const at = this.room(1);
    this.#bytes[at] = byte;
    this.#length = at + 1;
  }

  ascii(text: string): void {
    const begin = this.room(text.length);
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index++) bytes[begin + index] = text.charCodeAt(index);
    this.#length = begin + text.length;
  }

  text(text: string): void {
    const begin = this.room(text.length * 3);
    this.#length = begin + this.#utf8.encodeInto(text, this.#bytes.subarray(begin)).written;
  }

  /** Copies bytes of ASCII, or of complete JSON. */
  copy(source: Uint8Array, from: number, to: number): void {
    let length = this.room(to - from);
    const bytes = this.#bytes;
    for (let at = from; at < to; at++) bytes[length++] = source[at] as number;
    this.#length = length;
  }

  /** Writes UTF-8 as a JSON string, escaped as `JSON.stringify` does. */
  string(source: Uint8Array, from: number, to: number): void {
    this.byte(QUOTE);
    for (let at = from; at < to; at += SEGMENT) this.#escaped(source, at, Math.min(to, at + SEGMENT));
    this.byte(QUOTE);
  }

  #escaped(source: Uint8Array, from: number, to: number): void {
    let length = this.room((to - from) * LONGEST_ESCAPE);
    const bytes = this.#bytes;
    for (let at = from; at < to; at++) {
      const byte = source[at] as number;
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
        bytes[length++] = byte;
      } else {
        bytes[length++] = BACKSLASH;
        length = escape(byte, bytes, length);
      }
    }
    this.#length = length;
  }

  /** A safe integer. */
  integer(value: number): void {
    if (value < 0) this.byte(MINUS);
    const size = Math.abs(value);
    if (size < BILLION) {
      this.#digits(size);
      return;
    }
    const billions = Math.floor(size / BILLION);
    this.#digits(billions);
    this.padded(size - billions * BILLION, 9);
  }

  /** A 64-bit integer from its halves; `high` is negative where the integer is. */
  integer64(high: number, low: number): void {
    const value = high * TWO_32 + low;
    // An inexact value would have been rounded to one that is not a safe integer.
    if (Number.isSafeInteger(value)) {
      this.integer(value);
      return;
    }
    if (high >= 0) {
      this.#unsigned64(high, low);
    } else {
      this.byte(MINUS);
      if (low === 0) this.#unsigned64(-high, 0);
      else this.#unsigned64(-high - 1, TWO_32 - low);
    }
  }

  /** Two steps of long division, in which a binary64 holds every number. */
  #unsigned64(high: number, low: number): void {
    const first = Math.floor(high / MILLION);
    const carried = (high - first * MILLION) * TWO_32 + low;
    const second = Math.floor(carried / MILLION);
    this.integer(first * TWO_32 + second);
    this.padded(carried - second * MILLION, 6);
  }

  /** A non-negative integer below 2^31 with at least `width` digits; `width` is enough for all of them. */
  padded(value: number, width: number): void {
    const begin = this.room(width);
    writeDigits(this.#bytes, begin, value, width);
    this.#length = begin + width;
  }

  #digits(value: number): void {
    let width = 1;
    for (let bound = 10; bound <= value; bound *= 10) width++;
    this.padded(value, width);
  }

  /** Reserves bytes and returns their position; after writing them, call `advance`. */
  room(bytes: number): number {
    const length = this.#length;
    if (length + bytes > this.#bytes.length) this.#grow(length + bytes);
    return length;
  }

  /** The buffer to write to; `room` may replace it. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  advance(bytes: number): void {
    this.#length += bytes;
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** A non-negative integer below 2^31, padded with zeros. */
export function writeDigits(bytes: Uint8Array, begin: number, value: number, width: number): void {
  let rest = value | 0;
  let at = begin + width;
  for (; at >= begin + 2; at -= 2) {
    const pair = rest % 100;
    rest = (rest / 100) | 0;
    bytes[at - 1] = ONES[pair] as number;
    bytes[at - 2] = TENS[pair] as number;
  }
  if (at > begin) bytes[begin] = ZERO + rest;
}

/** Writes the part after the backslash, and returns the end position. */
function escape(byte: number, bytes: Uint8Array, at: number): number {
  const text = SHORT_ESCAPES.get(byte) ?? `u00${HEX.charAt(byte >> 4)}${HEX.charAt(byte & 15)}`;
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}
