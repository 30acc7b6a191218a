import type { Refusal, Refusals } from "./refusals.ts";

const unsupported = (why: string): Refusal => ({ reason: "UNSUPPORTED_ON_SOURCE", why });

const JSON_EQUALITY = "JSON is text on DuckDB, so that equal documents may be written differently: no exact comparison";

/** Queries of the corpus that are refused on DuckDB. */
export const REFUSED_BY_DUCKDB: Refusals = {
  "events/reports/json-without-key": unsupported(JSON_EQUALITY),
  "events/traffic/exact-duplicates": unsupported(JSON_EQUALITY),
  "events/users/last-item": unsupported(JSON_EQUALITY),
  "school/reports/codes-by-pattern": unsupported("DuckDB's regular expressions have no back references"),
};
