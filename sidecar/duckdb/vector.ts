/** What all readers of DuckDB's vectors share. */
import duckdb from "@duckdb/node-bindings";
import type { LogicalType, Value } from "../../src/result/types.ts";

export type RawVector = Parameters<typeof duckdb.vector_get_data>[0];
export type RawType = ReturnType<typeof duckdb.vector_get_column_type>;

export interface ColumnReader {
  readonly type: LogicalType;
  /** `count` values of a vector of that type, from number `start` on. */
  read(vector: RawVector, start: number, count: number): Value[];
  /** About how many bytes each of the first `count` values takes; only where it can be many. */
  readonly weigh?: (vector: RawVector, count: number) => (index: number) => number;
}

const neverNull = (): boolean => false;

/** Is the value at an index NULL? DuckDB leaves the mask out when nothing is. */
export function nullMask(vector: RawVector, count: number): (index: number) => boolean {
  const mask: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8);
  if (mask === null || mask === undefined) return neverNull;
  return (index) => (((mask[index >> 3] ?? 0) >> (index & 7)) & 1) === 0;
}
