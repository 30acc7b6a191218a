/** Statements that Databend answers differently from Snowflake, by name, with the reason. */

const FORMATS = "its formats of dates are those of strftime";
const ORDERED = "an order by a correlated count is another one there";
const EMPTY = "NULL NOT IN of no rows is NULL there, and true in Snowflake and PostgreSQL";
const ONE = "the deviation of one value is 0 there, and NULL in Snowflake and PostgreSQL";
const RANKS = "percent_rank and cume_dist are whole numbers there";
const ANY = "any value is any: the greatest here";

const DAYS = "its start of a year is a date";

const COUNTED = "its count(x) in a window counts NULLs, too";

export const DATABEND_OTHERWISE: Readonly<Record<string, string>> = {
  "SELECT date_trunc('century', DATE '2024-01-07') AS a": DAYS,
  "SELECT date_trunc('century', TIMESTAMP '2000-12-31 23:59:59') AS a, date_trunc('decade', DATE '2010-01-01') AS b, date_trunc('millennium', TIMESTAMP '2001-01-01 00:00:01') AS c":
    DAYS,
  "SELECT k, mode() WITHIN GROUP (ORDER BY v) AS m, max(v) AS x, mode() WITHIN GROUP (ORDER BY v) FILTER (WHERE v > 1) AS f FROM (VALUES (1, 5), (1, 5), (1, 6), (2, 1), (2, NULL), (2, NULL), (3, NULL)) AS t(k, v) GROUP BY k ORDER BY k":
    COUNTED,
  "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY x), percentile_cont(0.3) WITHIN GROUP (ORDER BY x) FROM (VALUES (1),(3),(NULL),(3),(1),(9)) t(x)":
    COUNTED,
  Q24: FORMATS,
  Q58: ORDERED,
  "SELECT x FROM (VALUES (1), (NULL)) AS t(x) WHERE x NOT IN (SELECT 1 WHERE FALSE) ORDER BY x DESC": EMPTY,
  "SELECT stddev(n) AS a, stddev_pop(n) AS b FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f) WHERE id = 1":
    ONE,
  "SELECT x, rank() OVER w AS r, dense_rank() OVER w AS d, percent_rank() OVER w AS p, ntile(2) OVER w AS n FROM (VALUES (1), (1), (3), (NULL)) AS t(x) WINDOW w AS (ORDER BY x) ORDER BY x, n":
    RANKS,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)": ANY,
  "SELECT row_number() OVER w, rank() OVER w, dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w, ntile(2) OVER w, lag(x) OVER w, lead(x, 1, 0) OVER w, first_value(x) OVER w, last_value(x) OVER w, nth_value(x, 2) OVER w FROM (VALUES (1),(2),(2),(NULL)) t(x) WINDOW w AS (ORDER BY x)":
    RANKS,
};
