/** Scalar functions of the input language: PostgreSQL's, under its names and with its meaning. */

import { commonType } from "../common-type.ts";
import {
  BIGINT,
  BINARY,
  BOOLEAN,
  DATE,
  DOUBLE,
  INTEGER,
  INTERVAL,
  isNumeric,
  jsonOf,
  MADE_JSONB,
  NUMERIC,
  partOfJson,
  type SqlType,
  TEXT,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  UNKNOWN,
  UUID,
} from "../types.ts";
import { FACTORIAL, GREATEST_DIVISOR, LEAST_MULTIPLE } from "./divisors.ts";
import {
  BIT_LENGTH,
  CONTAINS,
  COSH,
  ISFINITE,
  MAKE_DATE,
  OVERLAY,
  QUOTE_LITERAL,
  QUOTE_NULLABLE,
  WIDTH_BUCKET,
} from "./meanings.ts";
import { defined, entry, type Facts, ofFirst, type Specified } from "./specification.ts";
import { DATE_BIN, MAKE_TIMESTAMP } from "./time-meanings.ts";

const scalar = <const Name extends string>(name: Name, ...rest: Specified) => entry("scalar", name, rest);

const common = (types: readonly SqlType[]): SqlType => commonType(types) ?? UNKNOWN;

/** Rounding keeps decimals decimal and makes everything else a double, as PostgreSQL's overloads do. */
const rounded = (types: readonly SqlType[]): SqlType => {
  const [value, digits] = types;
  if (value === undefined || !isNumeric(value)) return UNKNOWN;
  if (value.kind === "decimal") return NUMERIC;
  return digits !== undefined && value.kind === "integer" ? NUMERIC : DOUBLE;
};

/** `numeric` in, `numeric` out; anything else is computed in double precision. */
const analytic = (types: readonly SqlType[]): SqlType =>
  types.some((type) => type.kind === "float") || !types.some((type) => type.kind === "decimal") ? DOUBLE : NUMERIC;

/** `date_trunc` gives a timestamp without zone for dates, and keeps the zone of zoned timestamps (docs/spec/language.md). */
const truncated = (types: readonly SqlType[]): SqlType => {
  const value = types[1];
  if (value === undefined || value.kind === "opaque") return UNKNOWN;
  if (value.kind === "interval") return INTERVAL;
  return value.kind === "timestamp" ? value : TIMESTAMP;
};

const COMPUTED: Facts = { digits: "computed" };
const ALTERNATIVE: Facts = { nulls: "possible", digits: "of all", chooses: true, neverRaises: "comparable" };

export const SCALARS = [
  // numbers
  scalar("abs", "number", ofFirst, { digits: "of the first" }),
  scalar("ceil", "number", rounded, { digits: "none" }),
  scalar("floor", "number", rounded, { digits: "none" }),
  scalar("round", "number number?", rounded, { digits: "asked for" }), // Rounds to n digits; decimals half away from zero.
  scalar("trunc", "number number?", rounded, { digits: "asked for" }),
  scalar("sign", "number", rounded, { digits: "none" }),
  scalar("sqrt", "number", analytic, COMPUTED),
  scalar("cbrt", "number", DOUBLE),
  scalar("exp", "number", analytic, COMPUTED),
  scalar("ln", "number", analytic, COMPUTED),
  scalar("log", "number number?", analytic, COMPUTED),
  scalar("log10", "number", analytic, COMPUTED),
  scalar("power", "number number", analytic, COMPUTED),
  scalar("mod", "number number", common, { digits: "of all" }),
  scalar("div", "number number", NUMERIC),
  defined(scalar("gcd", "number number", common), GREATEST_DIVISOR),
  defined(scalar("lcm", "number number", common), LEAST_MULTIPLE),
  scalar("pi", "", DOUBLE, { nulls: "never" }),
  scalar("degrees", "number", DOUBLE),
  scalar("radians", "number", DOUBLE),
  ...(["sin", "cos", "tan", "cot", "asin", "acos", "atan", "sinh"] as const).map((name) =>
    scalar(name, "number", DOUBLE),
  ),
  defined(scalar("cosh", "number", DOUBLE), COSH),
  scalar("tanh", "number", DOUBLE),
  scalar("atan2", "number number", DOUBLE),
  scalar("random", "", DOUBLE, { safety: "random", nulls: "never" }),
  scalar("greatest", "any any*", common, { ...ALTERNATIVE, compares: true }), // Largest argument; NULLs are ignored.
  scalar("least", "any any*", common, { ...ALTERNATIVE, compares: true }), // Smallest argument; NULLs are ignored.
  defined(scalar("width_bucket", "number number number number", INTEGER), WIDTH_BUCKET),
  defined(scalar("factorial", "number", NUMERIC), FACTORIAL),
  ...(["asinh", "acosh", "atanh"] as const).map((name) => scalar(name, "number", DOUBLE)),
  // conditions
  scalar("num_nulls", "any any*", INTEGER, { nulls: "never" }),
  scalar("num_nonnulls", "any any*", INTEGER, { nulls: "never" }),
  scalar("coalesce", "any*", common, ALTERNATIVE),
  scalar("nullif", "any any", ofFirst, { ...ALTERNATIVE, digits: "of the first" }), // NULL when both are equal, else the first.
  // text
  scalar("upper", "text", TEXT),
  scalar("lower", "text", TEXT),
  scalar("initcap", "text", TEXT),
  scalar("length", "bytes", INTEGER),
  defined(scalar("bit_length", "bytes", INTEGER), BIT_LENGTH),
  scalar("octet_length", "any", INTEGER),
  scalar("substring", "text number number?", TEXT), // Characters from a position counted from 1, for a length.
  scalar("left", "text number", TEXT), // First n characters; all but the last -n when n is negative.
  scalar("right", "text number", TEXT), // Last n characters; all but the first -n when n is negative.
  scalar("lpad", "text number text?", TEXT),
  scalar("rpad", "text number text?", TEXT),
  scalar("btrim", "text text?", TEXT),
  scalar("ltrim", "text text?", TEXT),
  scalar("rtrim", "text text?", TEXT),
  scalar("position", "text text", INTEGER), // Position of the first argument in the second; 0 if absent.
  scalar("strpos", "text text", INTEGER), // Position of the second argument in the first; 0 if absent.
  scalar("replace", "text text text", TEXT),
  scalar("translate", "text text text", TEXT),
  scalar("reverse", "text", TEXT),
  scalar("repeat", "text number", TEXT),
  defined(scalar("overlay", "text text number number?", TEXT), OVERLAY),
  scalar("concat", "any*", TEXT, { nulls: "never" }), // Joins the arguments' texts; NULLs are skipped.
  scalar("concat_ws", "text any*", TEXT), // Joins with a separator; NULLs are skipped.
  scalar("split_part", "text text number", TEXT),
  scalar("starts_with", "text text", BOOLEAN),
  scalar("ascii", "text", INTEGER),
  scalar("chr", "number", TEXT),
  scalar("md5", "any", TEXT),
  defined(scalar("quote_literal", "any", TEXT), QUOTE_LITERAL), // The text as a literal of SQL.
  defined(scalar("quote_nullable", "any", TEXT, { nulls: "never" }), QUOTE_NULLABLE), // NULL as a word.
  scalar("to_hex", "number", TEXT),
  scalar("encode", "bytes text", TEXT),
  scalar("decode", "text text", BINARY),
  scalar("regexp_replace", "text text text text?", TEXT),
  scalar("regexp_like", "text text text?", BOOLEAN),
  scalar("regexp_substr", "text text number? number? text? number?", TEXT, { nulls: "possible" }),
  scalar("regexp_count", "text text number? text?", INTEGER),
  scalar("regexp_match", "text text text?", { kind: "array", element: TEXT }, { nulls: "possible" }),
  scalar("regexp_split_to_array", "text text text?", { kind: "array", element: TEXT }),
  scalar("string_to_array", "text text", { kind: "array", element: TEXT }),
  // dates and times
  scalar("date_trunc", "text temporal", truncated), // Start of the unit; weeks start on Monday.
  scalar("age", "datetime datetime?", INTERVAL),
  scalar("date_diff", "text datetime datetime", BIGINT),
  scalar("last_day", "datetime", DATE),
  defined(scalar("make_date", "number number number", DATE), MAKE_DATE),
  scalar("make_time", "number number number", TIME),
  scalar("make_interval", "number? number? number? number? number? number? number?", INTERVAL, { nulls: "arguments" }),
  scalar("justify_hours", "interval", INTERVAL), // Whole days of hours as days.
  scalar("justify_days", "interval", INTERVAL), // 30 days as a month.
  scalar("justify_interval", "interval", INTERVAL), // Both, all parts of one sign.
  defined(
    scalar("date_bin", "interval datetime datetime", (types) =>
      types[1]?.kind === "date" ? TIMESTAMP : (types[1] ?? UNKNOWN),
    ),
    DATE_BIN,
  ),
  defined(scalar("isfinite", "datetime", BOOLEAN), ISFINITE),
  defined(scalar("make_timestamp", "number number number number number number", TIMESTAMP), MAKE_TIMESTAMP),
  scalar("to_char", "any text", TEXT),
  scalar("to_date", "text text", DATE),
  scalar("to_timestamp", "any text?", TIMESTAMPTZ),
  ...(
    [
      ["now", "", TIMESTAMPTZ],
      ["statement_timestamp", "", TIMESTAMPTZ],
      ["transaction_timestamp", "", TIMESTAMPTZ],
      ["clock_timestamp", "", TIMESTAMPTZ],
      ["current_timestamp", "number?", TIMESTAMPTZ],
      ["current_date", "", DATE],
      ["localtimestamp", "number?", TIMESTAMP],
      ["localtime", "number?", TIME],
    ] as const
  ).map(([name, parameters, type]) => scalar(name, parameters, type, { safety: "volatile", nulls: "never" })),
  scalar("gen_random_uuid", "", UUID, { safety: "random", nulls: "never" }),
  // JSON
  scalar("json_extract_path", "json text*", partOfJson, { nulls: "possible" }),
  scalar("json_extract_path_text", "json text*", TEXT, { nulls: "possible" }),
  scalar("json_build_object", "any?*", jsonOf, { nulls: "never" }),
  scalar("jsonb_build_object", "any?*", MADE_JSONB, { nulls: "never" }),
  scalar("json_build_array", "any?*", jsonOf, { nulls: "never" }),
  scalar("jsonb_build_array", "any?*", MADE_JSONB, { nulls: "never" }),
  scalar("to_json", "any", jsonOf),
  scalar("to_jsonb", "any", MADE_JSONB),
  scalar("json_array_length", "json", INTEGER),
  scalar("json_typeof", "json", TEXT), // object, array, string, number, boolean or null.
  // arrays
  scalar("cardinality", "array", INTEGER),
  scalar("array_length", "array number", INTEGER, { nulls: "possible" }), // Length in a dimension; NULL when empty.
  scalar("array_contains", "array any", BOOLEAN),
  defined(scalar("contains", "any any", BOOLEAN), CONTAINS),
  scalar("array_position", "array any", INTEGER, { nulls: "possible" }), // First index of the value, from 1.
  scalar("array_append", "array any", ofFirst),
  scalar("array_cat", "array array", ofFirst, { nulls: "possible" }),
  scalar("array_prepend", "any array", (types) => types[1] ?? UNKNOWN),
  scalar("array_remove", "array any", ofFirst),
  scalar("array_replace", "array any any", ofFirst),
  scalar("array_upper", "array number", INTEGER, { nulls: "possible" }), // Last index in a dimension; NULL when empty.
  scalar("array_lower", "array number", INTEGER, { nulls: "possible" }), // First index in a dimension; NULL when empty.
  scalar("array_to_string", "array text text?", TEXT), // Elements joined by a separator; NULLs are skipped.
];
