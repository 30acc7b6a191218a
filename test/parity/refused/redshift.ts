import type { Refused } from "../../engines/unexecuted/suites.ts";

/**
 * Analyst queries, and constructs and functions (`matrix.ts`), that the planner rejects on Redshift: arrays, JSON and
 * set-returning functions, functions of regular expressions, intervals as values, RANGE frames, decimals of doubles
 * and of texts, texts of numbers and times, times of day, and behaviour that its manual leaves open.
 */
export const REFUSED_BY_REDSHIFT: Refused = {
  analyst: ["Q35", "Q52"],
  tpch: [],
  tpcds: [],
};
