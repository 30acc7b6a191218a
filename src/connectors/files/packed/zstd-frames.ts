/**
 * Finds the ends of Zstandard frames by the sizes of their blocks (RFC 8878 §3.1) without decompression: the decompressor does
 * not report them.
 */

/** The caller passes the requested bytes to `next`, or skips them. */
export type Step =
  | { readonly step: "look"; readonly bytes: number; readonly isBetween: boolean }
  | { readonly step: "pass"; readonly bytes: number }
  /** `begin`: the previous four bytes start a frame with data; the following bytes belong to it, until `end`. */
  | { readonly step: "begin" | "end" };

export const FRAME = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);

const MAGIC = 0xfd2fb528;
/** Sixteen magic numbers, which differ in their last four bits. */
const SKIPPABLE = 0x184d2a50;
const CHECKSUM_BYTES = 4;
/** Block types raw, repeated byte, and compressed; the fourth type is reserved. */
const REPEATED = 1;
const RESERVED = 3;

/** Throws if there is no frame. A file may end only where a step looks between frames. */
export function* frameSteps(): Generator<Step, never, Uint8Array> {
  for (;;) {
    const magic = littleEndian(yield { step: "look", bytes: 4, isBetween: true });
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      yield { step: "pass", bytes: littleEndian(yield look(4)) };
      continue;
    }
    if (magic !== MAGIC) throw new Error("There is no frame.");
    yield { step: "begin" };
    const descriptor = littleEndian(yield look(1));
    const isSingleSegment = (descriptor & 0b100000) !== 0;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11] ?? 0;
    const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    yield { step: "pass", bytes: (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes };
    for (let isLast = false; !isLast; ) {
      const header = littleEndian(yield look(3));
      const kind = (header >> 1) & 0b11;
      if (kind === RESERVED) throw new Error("A block is of no kind that there is.");
      isLast = (header & 1) === 1;
      yield { step: "pass", bytes: kind === REPEATED ? 1 : header >> 3 };
    }
    if ((descriptor & 0b100) !== 0) yield { step: "pass", bytes: CHECKSUM_BYTES };
    yield { step: "end" };
  }
}

const look = (bytes: number): Step => ({ step: "look", bytes, isBetween: false });

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
}
