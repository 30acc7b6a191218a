/**
 * A batch that keeps its rows in the received frame. Iteration decodes the rows; code that writes JSON, stores the answer or
 * forwards it uses the bytes directly.
 */
import type { Batch, Column, Row } from "../../types.ts";
import { ByteReader } from "./bytes.ts";
import { HEADER_BYTES, MAX_ROWS_PER_FRAME } from "./format.ts";
import type { ValueCodec } from "./values.ts";

export class FrameBatch implements Batch {
  readonly length: number;
  /** The columns that the rows were written for. */
  readonly columns: readonly Column[];
  /** The whole frame with its header. The bytes are never written again. */
  readonly frame: Uint8Array;
  readonly #codecs: readonly ValueCodec[];

  /** @param frame A valid frame, from `checkedBatch` or from the code that has just written it. */
  constructor(columns: readonly Column[], codecs: readonly ValueCodec[], frame: Uint8Array) {
    this.columns = columns;
    this.frame = frame;
    this.length = new ByteReader(frame.subarray(HEADER_BYTES)).uint32();
    this.#codecs = codecs;
  }

  *[Symbol.iterator](): Generator<Row, void, void> {
    const bytes = this.values();
    for (let left = this.length; left > 0; left--) yield this.#codecs.map((codec) => codec.read(bytes));
  }

  /** Whether a framer for `columns` would write the same frame. Column names, which a plan may change, are not part of it. */
  isFor(columns: readonly Column[]): boolean {
    return (
      columns.length === this.columns.length && columns.every(({ type }, index) => type === this.columns[index]?.type)
    );
  }

  /** The values, row after row. */
  values(): ByteReader {
    const bytes = new ByteReader(this.frame.subarray(HEADER_BYTES));
    bytes.uint32();
    return bytes;
  }
}

/**
 * Checks every value of a received frame, so that later reads cannot fail.
 *
 * @throws RangeError or TypeError for a frame that does not contain rows with these columns.
 */
export function checkedBatch(columns: readonly Column[], codecs: readonly ValueCodec[], frame: Uint8Array): FrameBatch {
  const batch = new FrameBatch(columns, codecs, frame);
  if (batch.length > MAX_ROWS_PER_FRAME) throw new RangeError("More rows than a frame may have.");
  const bytes = batch.values();
  const width = codecs.length;
  for (let left = batch.length; left > 0; left--) {
    for (let index = 0; index < width; index++) codecs[index]?.pass(bytes);
  }
  if (bytes.remaining > 0) throw new RangeError("More bytes than the payload needs.");
  return batch;
}
