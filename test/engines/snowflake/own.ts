/** Snowflake, as the suites of sources that are not run want it. */
import { REFUSED_BY_SNOWFLAKE } from "../../parity/refused/snowflake.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

/** Where Snowflake has the type under another name. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  timestamptz: "TIMESTAMP_TZ",
  json: "VARIANT",
  jsonb: "VARIANT",
  bytea: "BINARY",
};

export const SNOWFLAKE: Unexecuted = {
  source: "snowflake",
  ownType: (type) => OWN_TYPES[type] ?? type,
  schema: "public",
};

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Snowflake";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on Snowflake";
const DIGITS = "beside a sum DuckDB rounds to the digits of the sum; Snowflake takes those of the longer of the two";
const ANY = "any value is any: the greatest here";
const REVERSED = "DuckDB turns letters around with their accents, and Snowflake and PostgreSQL character by character";
const LONG_SUMS =
  "whole numbers have 64 bits on Snowflake by every name, so that a sum of them is a decimal, and so is its quotient";
const SMALL =
  "a product of a smallint and a number that fits one is a smallint on DuckDB, and a number of any length on Snowflake";
const EPOCHS = "sqlglot leaves TO_TIMESTAMP_NTZ of seconds that are computed as it is";
const LENGTHS = "DuckDB takes no number of 64 bits as a length";
const DOCUMENTS = "DuckDB's own plan refuses it";
const TIMES = "DuckDB casts no time of day to a timestamp";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "bits/shift-left": "sqlglot leaves the brackets of & away",
  "bits/mixed": "sqlglot leaves the brackets of & away",
  Q36: "DuckDB rounds to a constant count of digits only",
  "times of day/extract-parts": TIMES,
  "times of day/extract-epoch": TIMES,
  "times of day/to-char": TIMES,
  "times of day/plus-interval": TIMES,
  "times of day/plus-factor-of-interval": TIMES,
  "times of day/timestamp-plus-time": "a fraction of a second has the whole seconds on DuckDB",
  "times of day/time-minus-time": TIMES,
  "to_char by parts, to_date of computed texts/times-of-day": TIMES,
  "functions/json-object-agg": "jsonb is written without blanks on DuckDB",
  "functions/to-char-of-times": "DuckDB casts no time of day to a timestamp",
  "arrays/slice-from-minus": "DuckDB counts negative bounds from the end",
  "sensors/readings/same-moment": "DuckDB rounds to a constant count of digits only",
  "decimal /, avg(decimal)/divided-in-between": AVERAGES,
  "decimal /, avg(decimal)/round-avg-decimal": AVERAGES,
  "round(x, n)/avg-sum-count": AVERAGES,
  "round(x, n)/round-avg-pg-catalog": AVERAGES,
  "date ± integer/columns": DAYS,
  "date ± integer/literals": DAYS,
  "date ± integer/computed": DAYS,
  "decimals of different scales in one column/coalesce": DIGITS,
  "decimals of different scales in one column/union": DIGITS,
  "decimals of different scales in one column/case-mod-greatest": DIGITS,
  "decimals of different scales in one column/in-query": DIGITS,
  "functions/count-sum-avg": ANY,
  "functions/reverse": REVERSED,
  "freight/items/price-vs-category": AVERAGES,
  "hospital/stays/cost-per-night": AVERAGES,
  "hr/payroll/first-and-last": AVERAGES,
  "league/matches/attendance-trend": AVERAGES,
  "league/questions/lowest-wage-scorer": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "saas/subscriptions/mrr-by-month": AVERAGES,
  "hr/style/constant-only": DAYS,
  "cinema/films/genre-text":
    "DuckDB's text of an array without elements is NULL, and an empty one in Snowflake's manual",
  "freight/planning/due-date-shift": DAYS,
  "freight/tariffs/next-anniversary": DAYS,
  "hospital/dates/add-months": DAYS,
  "hospital/dates/week-starting-sunday": DAYS,
  "realty/prices/validity": DAYS,
  "saas/invoices/rate-validity": DAYS,
  "freight/planning/nullif-zero-chain": LONG_SUMS,
  "cinema/concessions/monthly-growth": SMALL,
  "sensors/readings/epoch-bins": EPOCHS,
  "events/traffic/exact-duplicates": DOCUMENTS,
  "school/reports/age-pyramid": LENGTHS,
};

const script = new URL("read_back.py", import.meta.url);

export const SNOWFLAKE_READ_BACK: ReadBack = {
  own: SNOWFLAKE,
  suites: suitesOf(SNOWFLAKE, REFUSED_BY_SNOWFLAKE, script),
  script,
  different: DIFFERENT,
};
