/**
 * Delta encodings: numbers as differences to the previous one, and texts by the prefix that they share with the previous one.
 * https://github.com/apache/parquet-format/blob/master/Encodings.md#delta-encoding-delta_binary_packed--5
 */
import { ParquetFault } from "../fault.ts";
import type { Cursor } from "./bytes.ts";
import type { Texts } from "./dense.ts";

/** Reads at least one number. Numbers wrap around as their type does. */
export function readDeltas(cursor: Cursor, output: Int32Array | BigInt64Array): void {
  const { length } = output;
  const blockSize = cursor.varint();
  const perBlock = cursor.varint();
  const total = cursor.varint();
  const perMini = blockSize / perBlock;
  if (perBlock === 0 || blockSize === 0 || perMini % 8 !== 0 || perMini > 1_000_000) {
    throw new ParquetFault("Differences in it come in blocks that are none.");
  }
  if (total < length) throw new ParquetFault("There are fewer differences in it than it says.");
  let value = cursor.zigzag();
  let have = 0;
  const put = (next: bigint): void => {
    value = BigInt.asIntN(64, next);
    if (output instanceof Int32Array) output[have++] = Number(BigInt.asIntN(32, value));
    else output[have++] = value;
  };
  put(value);
  while (have < length) {
    const least = cursor.zigzag();
    const widths = cursor.take(perBlock);
    for (const width of widths) {
      // Miniblocks without values have no bytes.
      if (have >= length) break;
      if (width > 64) throw new ParquetFault("Numbers in it are wider than any.");
      const packed = cursor.take((perMini * width) / 8);
      let held = 0n;
      let bits = 0;
      let at = 0;
      const mask = (1n << BigInt(width)) - 1n;
      for (let i = 0; i < perMini && have < length; i++) {
        while (bits < width) {
          held |= BigInt(packed[at++] ?? 0) << BigInt(bits);
          bits += 8;
        }
        put(value + least + (held & mask));
        held >>= BigInt(width);
        bits -= width;
      }
    }
  }
}

export function readLengthTexts(cursor: Cursor, count: number, texts: Texts): void {
  const lengths = new Int32Array(count);
  if (count > 0) readDeltas(cursor, lengths);
  for (const length of lengths) texts.add(cursor.take(length));
}

export function readPrefixTexts(cursor: Cursor, count: number, texts: Texts): void {
  if (count === 0) return;
  const prefixes = new Int32Array(count);
  const suffixes = new Int32Array(count);
  readDeltas(cursor, prefixes);
  readDeltas(cursor, suffixes);
  let last: Uint8Array = new Uint8Array(0);
  for (let i = 0; i < count; i++) {
    const prefix = prefixes[i] ?? 0;
    const suffix = cursor.take(suffixes[i] ?? 0);
    if (prefix < 0 || prefix > last.length) throw new ParquetFault("A text in it shares more than there is.");
    const text = new Uint8Array(prefix + suffix.length);
    text.set(last.subarray(0, prefix));
    text.set(suffix, prefix);
    texts.add(text);
    last = text;
  }
}
