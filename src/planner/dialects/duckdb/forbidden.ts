/** DuckDB's read files, run SQL in text, and tell of columns by a pattern. */
export const DUCKDB_FORBIDDEN: ReadonlySet<string> = new Set(
  "glob query query_table summary repeat_row test_all_types checkpoint force_checkpoint".split(" "),
);
