import type { Refused } from "../../engines/unexecuted/suites.ts";

/**
 * Analyst queries, and constructs and functions (`matrix.ts`), that the planner rejects on Oracle: the empty text
 * where it differs from NULL, arrays, json and set-returning functions, intervals as values, times of day, texts of
 * computed numbers, and behaviour that its manual leaves open.
 */
export const REFUSED_BY_ORACLE: Refused = {
  analyst: ["Q35", "Q45"],
  tpch: [],
  tpcds: [],
};
