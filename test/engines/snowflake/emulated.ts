/** Statements that fakesnow answers differently, with the reason why the statement is right. */

const REPLACED = "fakesnow has no REGEXP_REPLACE from a start, of one match or with options";
const FORMATS = "fakesnow leaves the format of to_char away";
const MEMBERS = "fakesnow reads GET of GET, or a name with $ in it, as something else";
const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Snowflake";
const COMPACT = "fakesnow does not know what ARRAY_CONSTRUCT_COMPACT makes";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on Snowflake";
const TRIMMED = "fakesnow leaves the characters away that LTRIM and RTRIM are given";
const ANY = "any value is any: the greatest here";
const BYTES = "DuckDB has no octet_length of a text";
const DIGITS = "DuckDB rounds to a constant count of digits only, and Snowflake's manual allows a computed scale";
const TIMES_OF_DAY = "DuckDB casts no time of day to a timestamp";
const NANOSECONDS = "the nanoseconds of a time hold its seconds on DuckDB, and its fraction alone on Snowflake";
const REVERSED = "DuckDB turns letters around with their accents, and Snowflake and PostgreSQL character by character";

const QUOTED = "fakesnow casts an element of an array to a text with its quotes";
const SKIPPED = "fakesnow's ARRAY_AGG in an order keeps NULLs";
const UNTYPED = "fakesnow reads a text beside an array as json";
const COUNTED = "fakesnow has no range up to the size of an array";

/** By the name of an analyst query, or by what is asked. */
export const EMULATED_OTHERWISE: Readonly<Record<string, string>> = {
  "regexp_replace/classes": REPLACED,
  "times of day/text": FORMATS,
  "times of day/extract-parts": TIMES_OF_DAY,
  "times of day/extract-epoch": TIMES_OF_DAY,
  "times of day/plus-interval": TIMES_OF_DAY,
  "times of day/plus-factor-of-interval": TIMES_OF_DAY,
  "times of day/time-minus-time": TIMES_OF_DAY,
  "bits/shift-left": "fakesnow leaves the brackets of & away",
  "bits/mixed": "fakesnow leaves the brackets of & away",
  "casts of members of json/types": MEMBERS,
  "casts of members of json/null": MEMBERS,
  "array_position of what may be NULL/texts": QUOTED,
  "functions/json-object-agg": "jsonb is written without blanks on DuckDB",
  "to_char, to_date, to_timestamp/names-of-days": FORMATS,
  "to_char by parts, to_date of computed texts/days": FORMATS,
  "to_char by parts, to_date of computed texts/weeks": FORMATS,
  "to_char by parts, to_date of computed texts/hours-and-fractions": FORMATS,
  "to_char by parts, to_date of computed texts/ordinals-and-quoted": FORMATS,
  "to_char by parts, to_date of computed texts/times-of-day": TIMES_OF_DAY,
  "to_char by parts, to_date of computed texts/to-timestamp": FORMATS,
  "functions/to-timestamp-of-to-char": FORMATS,
  "functions/to-char-of-times": TIMES_OF_DAY,
  "times of day/to-char": TIMES_OF_DAY,
  "times of day/timestamp-plus-time": NANOSECONDS,
  Q16: REPLACED,
  "regexp_replace/flags": REPLACED,
  "regexp_replace/vowels": REPLACED,
  Q24: FORMATS,
  "CAST to text/dates": FORMATS,
  "to_char, to_date, to_timestamp/dates-and-times": FORMATS,
  "to_char, to_date, to_timestamp/other-letters": FORMATS,
  Q29: FORMATS,
  Q36: DIGITS,
  Q27: MEMBERS,
  "JSON/path-length-type": MEMBERS,
  "JSON/keys-with-points": MEMBERS,
  "functions/json-extract-path": MEMBERS,
  "decimal /, avg(decimal)/divided-in-between": AVERAGES,
  "decimal /, avg(decimal)/round-avg-decimal": AVERAGES,
  "round(x, n)/avg-sum-count": AVERAGES,
  "round(x, n)/round-avg-pg-catalog": AVERAGES,
  "concat, concat_ws/texts": COMPACT,
  "concat, concat_ws/nulls": COMPACT,
  "functions/concat-ws-starts-with-ascii": COMPACT,
  "functions/concat-ws-timestamp": COMPACT,
  "date ± integer/columns": DAYS,
  "date ± integer/literals": DAYS,
  "date ± integer/computed": DAYS,
  "text functions/pads-and-trims": TRIMMED,
  "functions/ltrim-rtrim-btrim": TRIMMED,
  "functions/ltrim-rtrim-trim": TRIMMED,
  "functions/count-sum-avg": ANY,
  "functions/octet-length": BYTES,
  "functions/reverse": REVERSED,
  Q52: QUOTED,
  "string_agg, listagg, group_concat, array_agg/array-agg": SKIPPED,
  "arrays/cardinality-array-length": UNTYPED,
  "arrays/array-contains-not-any": UNTYPED,
  "set-returning functions in the select list/unnest-limit": COUNTED,
  "set-returning functions in the select list/unnest-beside-window": COUNTED,
  "functions/first": QUOTED,
  "functions/string-to-array-regexp-like": REPLACED,
};
