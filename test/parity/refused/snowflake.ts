import type { Refused } from "../../engines/unexecuted/suites.ts";

/**
 * Analyst queries, and constructs and functions (`matrix.ts`), that the planner rejects on Snowflake: arrays of
 * decimals, dates and arrays, set-returning functions of json, constructed json, intervals as values, frames of
 * distances, doubles as decimals and texts, and behaviour that its manual leaves open.
 */
export const REFUSED_BY_SNOWFLAKE: Refused = {
  analyst: ["Q35", "Q45"],
  tpch: [],
  tpcds: [],
};
