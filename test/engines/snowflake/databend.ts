/** Statements that Databend answers differently from Snowflake, by name, with the reason. */

const FORMATS = "its formats of dates are those of strftime";
const ORDERED = "an order by a correlated count is another one there";
const EMPTY = "NULL NOT IN of no rows is NULL there, and true in Snowflake and PostgreSQL";
const ONE = "the deviation of one value is 0 there, and NULL in Snowflake and PostgreSQL";
const RANKS = "percent_rank and cume_dist are whole numbers there";
const ANY = "any value is any: the greatest here";

const DAYS = "its start of a year is a date";

const COUNTED = "its count(x) in a window counts NULLs, too";

const NULLS = "its EXCEPT and INTERSECT tell NULLs apart";

export const DATABEND_OTHERWISE: Readonly<Record<string, string>> = {
  "date_trunc/century-of-date": DAYS,
  "date_trunc/century-decade-millennium": DAYS,
  "percentiles and mode of groups/mode-of-groups": COUNTED,
  "functions/percentiles-and-mode": COUNTED,
  "sets of all rows/except-texts": NULLS,
  "sets of all rows/except-decimals": NULLS,
  "sets of all rows/intersect-texts": NULLS,
  "sets of all rows/intersect-decimals": NULLS,
  Q24: FORMATS,
  Q58: ORDERED,
  "ORDER BY without NULLS/not-in-nothing": EMPTY,
  "ANY and ALL of a query/at-least-any-false":
    "NULL < ALL of no rows is NULL on Databend, and true on Snowflake and PostgreSQL",
  "stddev, variance/of-one": ONE,
  "windows/ranks": RANKS,
  "functions/count-sum-avg": ANY,
  "functions/window-functions": RANKS,
};
