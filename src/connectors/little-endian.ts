/** Reads little-endian numbers of a protocol. */
import type { Buffer } from "node:buffer";

export abstract class LittleEndianReader {
  abstract readonly bytes: Buffer;

  /** The start of the next `count` bytes, which are skipped. Throws if there are fewer. */
  abstract skip(count: number): number;

  uint8(): number {
    return this.bytes.readUInt8(this.skip(1));
  }

  uint16(): number {
    return this.bytes.readUInt16LE(this.skip(2));
  }

  int16(): number {
    return this.bytes.readInt16LE(this.skip(2));
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  int32(): number {
    return this.bytes.readInt32LE(this.skip(4));
  }

  int64(): bigint {
    return this.bytes.readBigInt64LE(this.skip(8));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64LE(this.skip(8));
  }

  float32(): number {
    return this.bytes.readFloatLE(this.skip(4));
  }

  float64(): number {
    return this.bytes.readDoubleLE(this.skip(8));
  }
}
