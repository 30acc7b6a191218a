/** Reads bytes of pages in sequence, never beyond the end. */
import { ParquetFault } from "../fault.ts";

export class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw tooShort();
    return byte;
  }

  take(length: number): Uint8Array {
    if (!(length >= 0) || length > this.left) throw tooShort();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  uint32(): number {
    if (this.left < 4) throw tooShort();
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  /** At most 32 bits. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new ParquetFault("A number in it has no end.");
  }

  zigzag(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw new ParquetFault("A number in it has no end.");
  }
}

export function tooShort(): ParquetFault {
  return new ParquetFault("Values in it end too early.");
}
