/** Reads bytes that arrive in chunks. Integers are little-endian. */
import { endOfAscii } from "../../result/text/utf8.ts";
import { UnreadableValue } from "../unreadable-value.ts";

/** A value has not arrived completely; its reader goes back to the start of the value, and waits. */
export class Incomplete extends Error {
  override readonly name = "Incomplete";
}

/** One shared instance: creating an error records a stack. */
const INCOMPLETE = new Incomplete("More bytes are needed.");

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NOT_UTF_8_HINT = "Select hex(x), or give the column the type BYTEA in the manifest.";
/** Maximum length of a name or text that is decoded by a loop. */
const SHORT = 24;

export class BinaryReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  /** End of the received bytes; the buffer may have spare capacity. */
  #end = 0;
  /** The buffer belongs to the reader and may be written to. */
  #isOwn = false;
  #needed = 0;

  /**
   * Appends a chunk and discards consumed bytes. The buffer doubles when it is full, so that each byte of a long value is copied
   * a few times only, whatever the number of chunks.
   */
  append(more: Uint8Array): void {
    const { left } = this;
    if (left === 0) this.#use(more, more.length, false);
    else if (!this.#isOwn || this.#end + more.length > this.#bytes.length) {
      const room = new Uint8Array(Math.max(left + more.length, left * 2));
      room.set(this.#bytes.subarray(this.#at, this.#end));
      this.#use(room, left, true);
    }
    if (left === 0) return;
    this.#bytes.set(more, this.#end);
    this.#end += more.length;
  }

  #use(bytes: Uint8Array, end: number, isOwn: boolean): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
    this.#end = end;
    this.#isOwn = isOwn;
  }

  /** The offset that the bytes must reach before the last read that threw `Incomplete` can succeed. */
  get needed(): number {
    return this.#needed;
  }

  get position(): number {
    return this.#at;
  }

  /** Goes back to an earlier position. */
  set position(at: number) {
    this.#at = at;
  }

  /** Number of unread bytes. */
  get left(): number {
    return this.#end - this.#at;
  }

  bytes(count: number): Uint8Array {
    const from = this.#take(count);
    return this.#bytes.slice(from, from + count);
  }

  uint8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  int8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  int16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  int32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  /** An integer of 16 or 32 bytes. */
  wide(bytes: 16 | 32, isSigned: boolean): bigint {
    const from = this.#take(bytes);
    let value = isSigned
      ? this.#view.getBigInt64(from + bytes - 8, true)
      : this.#view.getBigUint64(from + bytes - 8, true);
    for (let at = bytes - 16; at >= 0; at -= 8) value = (value << 64n) | this.#view.getBigUint64(from + at, true);
    return value;
  }

  float32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A variable-length integer: seven bits per byte, the lowest first. */
  count(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.uint8();
      value += (byte & 127) * scale;
      if (!Number.isSafeInteger(value)) throw new UnreadableValue("a length");
      if (byte < 128) return value;
    }
  }

  /** `length` bytes of UTF-8, without trailing zeroes if `isPadded`. Throws `UnreadableValue` for other bytes. */
  text(length: number, isPadded = false): string {
    const from = this.#take(length);
    let to = from + length;
    if (isPadded) while (to > from && this.#bytes[to - 1] === 0) to--;
    if (to - from <= SHORT && endOfAscii(this.#bytes, from, to) === to) {
      return String.fromCharCode(...this.#bytes.subarray(from, to));
    }
    try {
      return UTF_8.decode(this.#bytes.subarray(from, to));
    } catch {
      throw new UnreadableValue("bytes that are not UTF-8", { hint: NOT_UTF_8_HINT });
    }
  }

  #take(count: number): number {
    const from = this.#at;
    if (count > this.#end - from) {
      this.#needed = from + count;
      throw INCOMPLETE;
    }
    this.#at = from + count;
    return from;
  }
}
