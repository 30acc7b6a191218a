/** Writes the bytes of Arrow's stream format. The encoder loads this module on demand. */
import { ResultError } from "../../failure.ts";
import type { Batch } from "../../types.ts";
import { recordBatchMessage } from "./messages.ts";
import type { ArrowField } from "./types.ts";
import { addVector, type Body } from "./vectors.ts";

export { BROKEN_MESSAGE, END_OF_STREAM, schemaMessage } from "./messages.ts";

export function recordBatch(batch: Batch, fields: readonly ArrowField[]): Uint8Array {
  return recordBatchMessage(batch.length, recordBody(batch, fields));
}

/** The buffers of a batch. Throws `ResultError` VALUE_MISMATCH. */
export function recordBody(batch: Batch, fields: readonly ArrowField[]): Body {
  const rows = [...batch];
  const misfit = rows.find((row) => row.length !== fields.length);
  if (misfit !== undefined) {
    throw new ResultError("VALUE_MISMATCH", `A row has ${misfit.length} values for ${fields.length} columns.`);
  }
  const body: Body = { nodes: [], buffers: [] };
  for (const [index, field] of fields.entries()) {
    const values = rows.map((row) => {
      const value = row[index];
      if (value === undefined) throw new ResultError("VALUE_MISMATCH", "A row lacks a value.");
      return value;
    });
    addVector(body, field, values, field.name);
  }
  return body;
}
