/** Shared by all readers of DuckDB's vectors. */
import duckdb from "@duckdb/node-bindings";
import type { LogicalType, Value } from "../../src/result/types.ts";

export type RawVector = Parameters<typeof duckdb.vector_get_data>[0];
export type RawType = ReturnType<typeof duckdb.vector_get_column_type>;

export interface ColumnReader {
  readonly type: LogicalType;
  /** `count` values of a vector of this type, from index `start` on. */
  read(vector: RawVector, start: number, count: number): Value[];
  /** Estimates the size in bytes of each of the first `count` values; only for types whose values can be large. */
  readonly weigh?: (vector: RawVector, count: number) => (index: number) => number;
}

const neverNull = (): boolean => false;

/** Whether the value at an index is NULL. DuckDB omits the mask if no value is NULL. */
export function nullMask(vector: RawVector, count: number): (index: number) => boolean {
  const mask: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8);
  if (mask === null || mask === undefined) return neverNull;
  return (index) => (((mask[index >> 3] ?? 0) >> (index & 7)) & 1) === 0;
}
