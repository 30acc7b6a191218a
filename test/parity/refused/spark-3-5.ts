/**
 * Features of planned statements that Spark 3.5 lacks, by its error. Its analysis rejects them before anything runs,
 * except the last.
 */
export const LACKING_ON_SPARK_3_5: Readonly<Record<string, RegExp>> = {
  Q12: /^\[UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY\b/,
  Q35: /^\[DATATYPE_MISMATCH\.RANGE_FRAME_INVALID_TYPE\]/,
  "SELECT mode() WITHIN GROUP (ORDER BY x) AS a, percentile_cont(x, 0.5) AS b FROM (VALUES (1), (2), (2)) AS t(x)":
    /^\[WRONG_NUM_ARGS\b.*`mode`/,
  "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY x), percentile_cont(0.3) WITHIN GROUP (ORDER BY x) FROM (VALUES (1),(3),(NULL),(3),(1),(9)) t(x)":
    /^\[WRONG_NUM_ARGS\b.*`mode`/,
  "SELECT n % 2 AS parity, count(*) AS c FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f) GROUP BY parity HAVING c >= 1 ORDER BY -c, parity":
    /^\[UNSUPPORTED_EXPR_FOR_OPERATOR\]/,
  // Its time of day is made of microseconds that it takes for an integer.
  "SELECT TIMESTAMP '2024-01-01 00:00:00' + INTERVAL '1 year 2 months 3 days 04:05:06.7' AS a, DATE '2024-01-01' + INTERVAL 3 DAY AS b":
    /^\[CAST_OVERFLOW\]/,
};
