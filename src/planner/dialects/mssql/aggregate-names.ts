/** Aggregates by their names on SQL Server: https://learn.microsoft.com/en-us/sql/t-sql/functions/aggregate-functions-transact-sql */
export const AGGREGATES: ReadonlySet<string> = new Set(
  // `array_agg` becomes `string_agg` when it is printed (`json-arrays.ts`).
  "array_agg count_big sum avg min max stdev stdevp var varp string_agg grouping grouping_id".split(" "),
);
