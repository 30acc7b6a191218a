/** Redshift, as the suites of sources that are not run want it. */
import { REFUSED_BY_REDSHIFT } from "../../parity/refused/redshift.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

export const REDSHIFT: Unexecuted = { source: "redshift", ownType: (type) => type, schema: "public" };

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Redshift";
const CAPITALS = "sqlglot says initcap of an empty text for DuckDB so that it is NULL";
const ARRAYS = "DuckDB has no such functions and rows of arrays: arrays.test.ts says them otherwise";
const DIGITS = "beside a sum DuckDB rounds to the digits of the sum; Redshift takes those of the longer of the two";

const TIMES_OF_DAY = "DuckDB casts no time of day to a timestamp, of which sqlglot asks the difference";
const TIMES = "DuckDB casts no time of day to a timestamp";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  Q27: "DuckDB has no json_typeof",
  "regular expressions/line-breaks-and-digits": "a point is no line break in DuckDB's patterns",
  "times of day/extract-parts": TIMES,
  "times of day/extract-epoch": TIMES,
  "times of day/to-char": TIMES,
  "times of day/plus-factor-of-interval": TIMES,
  "times of day/date-plus-time": TIMES,
  "times of day/timestamp-plus-time": TIMES,
  "times of day/end-of-day": TIMES,
  "times of day/end-of-day-plus-interval": TIMES,
  "to_char by parts, to_date of computed texts/hours-and-fractions": "sqlglot leaves MS and US out of a format",
  "decimals of different scales in one column/case-mod-greatest": DIGITS,
  "functions/json-object-agg": "jsonb is written without blanks on DuckDB",
  "functions/json-agg-of-types": "DuckDB has no JSON_SERIALIZE",
  "decimal /, avg(decimal)/divided-in-between": AVERAGES,
  "decimal /, avg(decimal)/round-avg-decimal": AVERAGES,
  "round(x, n)/avg-sum-count": AVERAGES,
  "round(x, n)/round-avg-pg-catalog": AVERAGES,
  "text functions/upper-lower-initcap": CAPITALS,
  "functions/upper-lower-initcap": CAPITALS,
  "decimals of different scales in one column/coalesce": DIGITS,
  "decimals of different scales in one column/union": DIGITS,
  "decimals of different scales in one column/in-query": DIGITS,
  "functions/count-sum-avg": "any value is any: the greatest here",
  "arrays/cardinality-array-length": ARRAYS,
  "arrays/slices": ARRAYS,
  "set-returning functions in the select list/unnest-limit": ARRAYS,
  "string_agg, listagg, group_concat, array_agg/no-rows": ARRAYS,
  "functions/string-agg-array-agg-any-value": ARRAYS,
  "arrays/array-contains-not-any": ARRAYS,
  "arrays/slice-from-minus": ARRAYS,
  "set-returning functions in the select list/unnest-beside-window": ARRAYS,
  "date − date/times": TIMES_OF_DAY,
  "times of day/text": TIMES_OF_DAY,
  "times of day/plus-interval": TIMES_OF_DAY,
  "times of day/time-minus-time": TIMES_OF_DAY,
  "to_char by parts, to_date of computed texts/times-of-day": TIMES_OF_DAY,
  "functions/to-char-of-times": TIMES_OF_DAY,
  "cinema/concessions/monthly-growth":
    "a product of a smallint and a number that fits one is a smallint on DuckDB, and an integer on Redshift",
  "hospital/dates/add-months":
    "DuckDB takes a month and thirty days for one interval (src/planner/dialects/duckdb/equal-intervals.ts)",
  "hr/payroll/first-and-last": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "saas/subscriptions/mrr-by-month": AVERAGES,
};

const script = new URL("read_back.py", import.meta.url);

export const REDSHIFT_READ_BACK: ReadBack = {
  own: REDSHIFT,
  suites: suitesOf(REDSHIFT, REFUSED_BY_REDSHIFT, script),
  script,
  different: DIFFERENT,
};
