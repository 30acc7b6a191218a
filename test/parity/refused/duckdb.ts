import type { Refusals } from "./refusals.ts";

/** Queries of the corpus that are refused on DuckDB. */
export const REFUSED_BY_DUCKDB: Refusals = {};
