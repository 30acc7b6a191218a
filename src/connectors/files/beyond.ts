/** A part of a file that these readers do not support, although it may be valid: native DuckDB reads it. */
export class Beyond extends Error {
  override readonly name = "Beyond";
}
