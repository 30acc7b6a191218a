/** What all readers of DuckDB's vectors share. */
import duckdb from "@duckdb/node-bindings";

export type RawVector = Parameters<typeof duckdb.vector_get_data>[0];
export type RawType = ReturnType<typeof duckdb.vector_get_column_type>;

const neverNull = (): boolean => false;

/** Is the value at an index NULL? DuckDB leaves the mask out when nothing is. */
export function nullMask(vector: RawVector, count: number): (index: number) => boolean {
  const mask: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8);
  if (mask === null || mask === undefined) return neverNull;
  return (index) => (((mask[index >> 3] ?? 0) >> (index & 7)) & 1) === 0;
}
