/**
 * Features of planned statements that Spark 3.5 lacks, by its error. Its analysis rejects them before anything runs,
 * except the last.
 */
export const LACKING_ON_SPARK_3_5: Readonly<Record<string, RegExp>> = {
  Q12: /^\[UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY\b/,
  Q35: /^\[DATATYPE_MISMATCH\.RANGE_FRAME_INVALID_TYPE\]/,
  "percentile_cont/disc, median/mode-and-two-arguments": /^\[WRONG_NUM_ARGS\b.*`mode`/,
  "functions/percentiles-and-mode": /^\[WRONG_NUM_ARGS\b.*`mode`/,
  "GROUP BY ordinal and alias, aliases in HAVING and ORDER BY/mod-by-alias": /^\[UNSUPPORTED_EXPR_FOR_OPERATOR\]/,
  // Its time of day is made of microseconds that it takes for an integer.
  "date/timestamp ± interval/mixed-length": /^\[CAST_OVERFLOW\]/,
};
