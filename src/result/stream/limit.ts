/** Operator's caps on an answer (decisions W13): reaching one is an error, never a shorter answer. */
import type { Batch, ResultStream, Value } from "../types.ts";
import { mapBatches } from "./map.ts";

export interface StreamLimits {
  /** Rows an answer may have. */
  readonly rows?: number | undefined;
  /** Bytes its values may take, by `valueBytes`. */
  readonly bytes?: number | undefined;
}

/**
 * The same stream, failing with `exceeded(which, limit)` when a batch takes it over a limit, and closing the source.
 * Rows of that batch are not delivered.
 */
export function limitStream(
  source: ResultStream,
  limits: StreamLimits,
  exceeded: (which: keyof StreamLimits, limit: number) => Error,
): ResultStream {
  const maxRows = limits.rows ?? Number.POSITIVE_INFINITY;
  const maxBytes = limits.bytes ?? Number.POSITIVE_INFINITY;
  if (maxRows === Number.POSITIVE_INFINITY && maxBytes === Number.POSITIVE_INFINITY) return source;
  let rows = 0;
  let bytes = 0;
  return mapBatches(source, source.columns, (batch) => {
    rows += batch.length;
    if (rows > maxRows) throw exceeded("rows", maxRows);
    if (maxBytes !== Number.POSITIVE_INFINITY) bytes += batchBytes(batch);
    if (bytes > maxBytes) throw exceeded("bytes", maxBytes);
    return batch;
  });
}

function batchBytes(batch: Batch): number {
  let bytes = 0;
  for (const row of batch) for (const value of row) bytes += valueBytes(value);
  return bytes;
}

/** What a value weighs, whatever format it leaves in: 8 for a number, a code unit of text 1, binary its length. */
export function valueBytes(value: Value): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "number" || typeof value === "bigint") return 8;
  if (value instanceof Uint8Array) return value.length;
  if (!("microseconds" in value)) return value.reduce<number>((sum, element) => sum + valueBytes(element), 8);
  return 24;
}
