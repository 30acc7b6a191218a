/** Frames of Zstandard by the sizes of their blocks (RFC 8878 §3.1), unpacked by nobody: where one ends, its decompressor does not say. */

/** Whoever walks looks at bytes, which are handed to `next`, or passes over them. */
export type Step =
  | { readonly step: "look"; readonly bytes: number; readonly isBetween: boolean }
  | { readonly step: "pass"; readonly bytes: number }
  /** The four bytes before are those that a frame with values begins with; what comes belongs to it, to its `end`. */
  | { readonly step: "begin" | "end" };

export const FRAME = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);

const MAGIC = 0xfd2fb528;
/** Sixteen of them, which differ in their last four bits. */
const SKIPPABLE = 0x184d2a50;
const CHECKSUM_BYTES = 4;
/** Raw, of one byte repeated, and compressed; a fourth kind is reserved. */
const REPEATED = 1;
const RESERVED = 3;

/** Throws where there is no frame. A file may end where it looks between frames, and nowhere else. */
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
