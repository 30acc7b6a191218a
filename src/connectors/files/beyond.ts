/** What of a file is not read here, though nothing may be wrong with it: native DuckDB is asked. */
export class Beyond extends Error {
  override readonly name = "Beyond";
}
