/** Writes one result's rows as frames. */
import { concatenated } from "../../bytes.ts";
import { ResultError } from "../../failure.ts";
import type { Batch, Column, Row, SourceWarning } from "../../types.ts";
import { BatchFrameWriter } from "./batch-frame.ts";
import { columnsToJson } from "./columns.ts";
import { endFrame, FRAME, jsonFrame, preambleFrame } from "./format.ts";
import { FrameBatch } from "./frame-batch.ts";
import { valueCodec } from "./values.ts";

/** The frames of one result, for code that holds the batches: the cache writes them while the answer is sent. */
export interface ResultFramer {
  /** Preamble and columns. Where the columns are not known yet, the preamble is sent alone. */
  opening(): Uint8Array;
  columns(): Uint8Array;
  /** A batch, cut into frames of at most `TARGET_PAYLOAD_BYTES`. Made lazily; none for an empty batch. */
  batch(batch: Batch): Generator<Uint8Array, void, void>;
  /** The end frame with the number of rows of all batches. */
  end(): Uint8Array;
}

export function resultFramer(columns: readonly Column[], warnings?: readonly SourceWarning[]): ResultFramer {
  const codecs = columns.map((column) => valueCodec(column.type, column.name));
  const width = codecs.length;
  const writer = new BatchFrameWriter();
  const { out } = writer;
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

  const columnsFrame = (): Uint8Array => jsonFrame(FRAME.columns, columnsToJson(columns, warnings));

  return {
    opening: () => concatenated([preambleFrame(), columnsFrame()]),
    columns: columnsFrame,
    *batch(batch) {
      // The batch is already a frame for the same types: a stream keeps the same type objects from end to end.
      if (batch instanceof FrameBatch && batch.isFor(columns)) {
        if (batch.length === 0) return;
        total += batch.length;
        yield batch.frame;
        return;
      }
      writer.restart();
      for (const row of batch) {
        const before = out.length;
        writeRow(row);
        if (writer.isFull) {
          const carried = out.bytes(before);
          total += writer.rows;
          yield writer.cut(before);
          out.raw(carried);
        }
        writer.finishRow();
      }
      if (writer.rows === 0) return;
      total += writer.rows;
      yield writer.cut();
    },
    end: () => endFrame(total),
  };
}
