/**
 * DuckDB's own names of types, where another source means something else by them: its FLOAT has 4 bytes. Read as one of 8,
 * `r * 3` is computed as a real and told as a double, which is 1e-8 off. Metadata tells the same names.
 */
import { BOOLEAN, INT8, REAL, type TypeNames } from "../../types.ts";

export const DUCKDB_TYPE_NAMES: TypeNames = {
  names: new Map([
    ["float", REAL],
    ["int1", INT8],
    ["logical", BOOLEAN],
  ]),
};
