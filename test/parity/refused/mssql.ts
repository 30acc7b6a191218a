import type { Refused } from "../../engines/unexecuted/suites.ts";

/**
 * Analyst queries, and constructs and functions (`matrix.ts`), that the planner rejects on SQL Server: arrays and
 * set-returning functions, regular expressions, json, intervals as values, times of day, character codes, and features
 * that no engine was available to verify.
 */
export const REFUSED_BY_MSSQL: Refused = {
  analyst: ["Q15", "Q16", "Q35", "Q37", "Q45", "Q52"],
  tpch: [],
  tpcds: [],
};
