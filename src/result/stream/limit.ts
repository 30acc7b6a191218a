/**
 * The operator's limits on an answer (docs/decisions/0009-no-silent-caps.md): exceeding one is an error, never a shorter answer.
 */
import type { Batch, ResultStream, Value } from "../types.ts";
import { mapBatches } from "./map.ts";

export interface StreamLimits {
  /** Maximum number of rows. */
  readonly rows?: number | undefined;
  /** Maximum size of the values, by `valueBytes`. */
  readonly bytes?: number | undefined;
}

/**
 * The same stream. It fails with `exceeded(which, limit)` when a batch exceeds a limit, and closes the source. The rows of that
 * batch are not delivered.
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

/** The size of a value, independent of the output format: 8 for a number, 1 per code unit of text, the length of binary. */
export function valueBytes(value: Value): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "number" || typeof value === "bigint") return 8;
  if (value instanceof Uint8Array) return value.length;
  if (!("microseconds" in value)) return value.reduce<number>((sum, element) => sum + valueBytes(element), 8);
  return 24;
}
