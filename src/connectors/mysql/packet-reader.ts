/** Reads the bytes of one packet from front to back in the units of the protocol: little-endian, lengths of several sizes. */

import { Buffer } from "node:buffer";
import { isUtf8 } from "../../result/text/utf8.ts";
import { ConnectorFailure } from "../failure.ts";
import { LittleEndianReader } from "../little-endian.ts";
import { notMySql } from "./failures.ts";

const NULL_LENGTH = 0xfb;

export class PacketReader extends LittleEndianReader {
  readonly bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, from = 0, end = bytes.length) {
    super();
    this.bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  get length(): number {
    return this.#end - this.#at;
  }

  /** The next byte, without advancing. */
  peek(): number {
    if (this.#at >= this.#end) throw notMySql();
    return this.bytes[this.#at] as number;
  }

  /** The start of the next `count` bytes, which are skipped. */
  skip(count: number): number {
    const from = this.#at;
    if (count > this.#end - from) throw notMySql();
    this.#at = from + count;
    return from;
  }

  int8(): number {
    return this.bytes.readInt8(this.skip(1));
  }

  /** An integer of one to nine bytes; `undefined` for NULL where the protocol allows a value. */
  lengthEncoded(): number | undefined {
    const first = this.uint8();
    if (first < NULL_LENGTH) return first;
    switch (first) {
      case NULL_LENGTH:
        return undefined;
      case 0xfc:
        return this.uint16();
      case 0xfd: {
        const from = this.skip(3);
        return this.bytes.readUIntLE(from, 3);
      }
      case 0xfe: {
        const value = Number(this.uint64());
        if (!Number.isSafeInteger(value)) throw notMySql();
        return value;
      }
    }
    throw notMySql();
  }

  /** Returns a copy, because the packet's buffer is reused. */
  data(): Uint8Array {
    const length = this.#dataLength();
    const from = this.skip(length);
    return new Uint8Array(this.bytes.subarray(from, from + length));
  }

  /** Text that is known to be ASCII. */
  ascii(): string {
    const length = this.#dataLength();
    const from = this.skip(length);
    return this.bytes.toString("latin1", from, from + length);
  }

  /** Throws `SOURCE_ERROR` if the bytes are not UTF-8: a replacement character would look like the value. */
  text(): string {
    const length = this.#dataLength();
    return this.#utf8(this.skip(length), length);
  }

  /** The bytes of a value, valid until the next packet; `undefined` for NULL. */
  nullableData(): Uint8Array | undefined {
    const length = this.lengthEncoded();
    if (length === undefined) return undefined;
    const from = this.skip(length);
    return this.bytes.subarray(from, from + length);
  }

  nullableText(): string | null {
    const length = this.lengthEncoded();
    return length === undefined ? null : this.#utf8(this.skip(length), length);
  }

  /** The remaining bytes as text, for error messages; invalid bytes are replaced. */
  rest(): string {
    const from = this.skip(this.length);
    return this.bytes.toString("utf8", from, this.#end);
  }

  #dataLength(): number {
    const length = this.lengthEncoded();
    if (length === undefined) throw notMySql();
    return length;
  }

  #utf8(from: number, length: number): string {
    if (!isUtf8(this.bytes, from, from + length)) {
      throw new ConnectorFailure("SOURCE_ERROR", "A text holds bytes that are not UTF-8.", {
        hint: "Read the column as bytes, or convert it: CONVERT(column USING utf8mb4).",
      });
    }
    return this.bytes.toString("utf8", from, from + length);
  }
}

/** The bytes as a `Buffer`, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
