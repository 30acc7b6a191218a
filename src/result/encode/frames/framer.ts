/** One result's rows as frames. */
import { ResultError } from "../../failure.ts";
import type { Batch, Column, Row } from "../../types.ts";
import { ByteWriter } from "./bytes.ts";
import { columnsToJson } from "./columns.ts";
import {
  endFrame,
  FRAME,
  HEADER_BYTES,
  jsonFrame,
  MAX_PAYLOAD_BYTES,
  MAX_ROWS_PER_FRAME,
  preambleFrame,
  TARGET_PAYLOAD_BYTES,
  writeHeader,
} from "./format.ts";
import { FrameBatch } from "./frame-batch.ts";
import { valueCodec } from "./values.ts";

/** The frames of one result, for who has the batches in hand: the cache writes them beside the answer. */
export interface ResultFramer {
  /** Preamble and columns; the preamble alone has to be first where it is sent before the columns are known. */
  opening(): Uint8Array;
  columns(): Uint8Array;
  /** A batch, cut into frames of `TARGET_PAYLOAD_BYTES` at most. Made as they are asked for; none for no rows. */
  batch(batch: Batch): Generator<Uint8Array, void, void>;
  /** The end, counting the rows of all batches. */
  end(): Uint8Array;
}

export function resultFramer(columns: readonly Column[]): ResultFramer {
  const codecs = columns.map((column) => valueCodec(column.type, column.name));
  const width = codecs.length;
  const out = new ByteWriter();
  let total = 0;

  function writeRow(row: Row): void {
    if (row.length !== width) {
      throw new ResultError("VALUE_MISMATCH", `A row has ${row.length} values for ${width} columns.`);
    }
    for (let index = 0; index < width; index++) {
      const value = row[index];
      const codec = codecs[index];
      if (value === undefined || codec === undefined) throw new ResultError("VALUE_MISMATCH", "A row lacks a value.");
      codec.write(out, value);
    }
  }

  /** The first `length` bytes of `out` as a frame of `rows` rows. */
  function cut(rows: number, length: number): Uint8Array {
    if (length - HEADER_BYTES > MAX_PAYLOAD_BYTES) {
      throw new ResultError("ROW_TOO_LARGE", `A row takes more than ${MAX_PAYLOAD_BYTES / 2 ** 20} MiB.`);
    }
    out.patchUint32(HEADER_BYTES, rows);
    const frame = out.bytes(0, length);
    writeHeader(frame, FRAME.batch, length - HEADER_BYTES);
    return frame;
  }

  const columnsFrame = (): Uint8Array => jsonFrame(FRAME.columns, columnsToJson(columns));

  /** Room for the header and the number of rows, both known last. */
  const begin = HEADER_BYTES + 4;
  out.raw(new Uint8Array(begin));

  return {
    opening: () => concatenate(preambleFrame(), columnsFrame()),
    columns: columnsFrame,
    *batch(batch) {
      // In a frame already, for these very types: those of a stream are the same objects all the way.
      if (batch instanceof FrameBatch && batch.isFor(columns)) {
        if (batch.length === 0) return;
        total += batch.length;
        yield batch.frame;
        return;
      }
      out.truncate(begin);
      let rows = 0;
      for (const row of batch) {
        const before = out.length;
        writeRow(row);
        if (rows > 0 && (out.length - HEADER_BYTES > TARGET_PAYLOAD_BYTES || rows === MAX_ROWS_PER_FRAME)) {
          const carried = out.bytes(before);
          total += rows;
          yield cut(rows, before);
          out.truncate(begin);
          out.raw(carried);
          rows = 0;
        }
        rows++;
      }
      if (rows === 0) return;
      total += rows;
      yield cut(rows, out.length);
    },
    end: () => endFrame(total),
  };
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
