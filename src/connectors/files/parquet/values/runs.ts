/**
 * Reads small numbers as runs of equal values and as packed bits: levels, dictionary indexes, booleans.
 * https://github.com/apache/parquet-format/blob/master/Encodings.md#run-length-encoding--bit-packing-hybrid-rle--3
 */
import { ParquetFault } from "../fault.ts";
import { type Cursor, tooShort } from "./bytes.ts";

/** Reads `output.length` numbers of `width` bits each. */
export function readRuns(cursor: Cursor, width: number, output: Uint8Array | Uint32Array): void {
  if (width > 32) throw new ParquetFault("Numbers in it are wider than any.");
  const { length } = output;
  let have = 0;
  while (have < length) {
    const head = cursor.varint();
    if (head % 2 === 0) {
      const bytes = cursor.take((width + 7) >> 3);
      let value = 0;
      for (let i = bytes.length - 1; i >= 0; i--) value = value * 256 + (bytes[i] ?? 0);
      // The byte of a run may have more bits than its numbers.
      if (value >= 2 ** width) throw new ParquetFault("A number in it is wider than it says.");
      const end = Math.min(length, have + head / 2);
      output.fill(value, have, end);
      have = end;
    } else {
      const groups = (head - 1) / 2;
      const wanted = Math.min(groups * 8, length - have);
      // The last run may end after the needed values.
      const packed = cursor.take(Math.min(groups * width, cursor.left));
      if (packed.length * 8 < wanted * width) throw tooShort();
      unpack(packed, width, output, have, wanted);
      have += wanted;
    }
  }
}

/** From the lowest bit of the first byte on. */
function unpack(
  packed: Uint8Array,
  width: number,
  output: Uint8Array | Uint32Array,
  from: number,
  count: number,
): void {
  if (width === 0) {
    output.fill(0, from, from + count);
    return;
  }
  const mask = 2 ** width - 1;
  let held = 0;
  let bits = 0;
  let at = 0;
  if (width <= 24) {
    for (let i = 0; i < count; i++) {
      while (bits < width) {
        held |= (packed[at++] ?? 0) << bits;
        bits += 8;
      }
      output[from + i] = held & mask;
      held >>>= width;
      bits -= width;
    }
    return;
  }
  let wide = 0n;
  for (let i = 0; i < count; i++) {
    while (bits < width) {
      wide |= BigInt(packed[at++] ?? 0) << BigInt(bits);
      bits += 8;
    }
    output[from + i] = Number(wide & BigInt(mask));
    wide >>= BigInt(width);
    bits -= width;
  }
}
