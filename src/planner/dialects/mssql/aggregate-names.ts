/** Aggregates by their names on SQL Server. */
export const AGGREGATES: ReadonlySet<string> = new Set(
  "count_big sum avg min max stdev stdevp var varp string_agg grouping grouping_id".split(" "),
);
