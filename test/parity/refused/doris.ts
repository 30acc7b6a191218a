import type { Refused } from "../../engines/unexecuted/suites.ts";

/**
 * Analyst queries, and constructs and functions (`matrix.ts`), that the planner rejects on Doris: arrays, JSON and
 * set-returning functions, regular expressions, expressions that are NULL on Doris and an error on PostgreSQL (roots,
 * logarithms), doubles as other numbers and as texts, percentiles, recursion, RANGE frames, intervals as values, times
 * of day, and behaviour that its manual leaves open.
 */
export const REFUSED_BY_DORIS: Refused = {
  analyst: ["Q25", "Q35", "Q42", "Q53"],
  tpch: [],
  tpcds: [],
};
