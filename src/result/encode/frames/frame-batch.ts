/**
 * Rows that stay in the frame they came in. They are made when somebody goes through them; who writes JSON, stores the
 * answer or passes it on takes the bytes as they are.
 */
import type { Batch, Column, Row } from "../../types.ts";
import { ByteReader } from "./bytes.ts";
import { HEADER_BYTES, MAX_ROWS_PER_FRAME } from "./format.ts";
import type { ValueCodec } from "./values.ts";

export class FrameBatch implements Batch {
  readonly length: number;
  /** Those that the rows were written for. */
  readonly columns: readonly Column[];
  /** The whole frame, its header included. Nobody writes to it any more. */
  readonly frame: Uint8Array;
  readonly #codecs: readonly ValueCodec[];

  /** @param frame A sound one: from `checkedBatch`, or from who has just written it. */
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

  /** Whether it is what a framer for `columns` would write: the names, which a plan may change, are not in it. */
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
 * The rows of a frame from elsewhere, after a look at every value in it: nothing that reads them later fails.
 *
 * @throws RangeError or TypeError for a frame that is none of rows with these columns.
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
