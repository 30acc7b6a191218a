/** Scalar functions of the input language, under PostgreSQL's names. */

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
  JSON_TYPE,
  JSONB_TYPE,
  NUMERIC,
  type SqlType,
  TEXT,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  UNKNOWN,
  UUID,
} from "../types.ts";
import type { Accepts, FunctionSpecification } from "./specification.ts";

type Result = SqlType | ((types: readonly SqlType[]) => SqlType);

/** Parameters as words; `?` marks optional ones, `*` a last one that repeats. */
function scalar<const Name extends string>(
  name: Name,
  parameters: string,
  result: Result,
  description: string,
  facts: Partial<Pick<FunctionSpecification, "safety" | "nulls" | "kind">> = {},
): FunctionSpecification<Name> {
  const words = parameters === "" ? [] : parameters.split(" ");
  return {
    name,
    kind: facts.kind ?? "scalar",
    parameters: words.map((word) => word.replace(/[?*]+/, "") as Accepts),
    required: words.filter((word) => !word.includes("?")).length,
    variadic: words.some((word) => word.endsWith("*")),
    result: typeof result === "function" ? result : () => result,
    safety: facts.safety ?? "pure",
    nulls: facts.nulls ?? "arguments",
    description,
  };
}

const first = (types: readonly SqlType[]): SqlType => types[0] ?? UNKNOWN;
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

/** `date_trunc` gives a timestamp without zone for dates, and keeps the zone of zoned timestamps (semantics.md). */
const truncated = (types: readonly SqlType[]): SqlType => {
  const value = types[1];
  if (value === undefined || value.kind === "opaque") return UNKNOWN;
  if (value.kind === "interval") return INTERVAL;
  return value.kind === "timestamp" ? value : TIMESTAMP;
};

export const SCALARS = [
  // numbers
  scalar("abs", "number", first, "Absolute value."),
  scalar("ceil", "number", rounded, "Smallest whole number not below the argument."),
  scalar("floor", "number", rounded, "Largest whole number not above the argument."),
  scalar("round", "number number?", rounded, "Rounds to n digits; decimals half away from zero."),
  scalar("trunc", "number number?", rounded, "Cuts towards zero after n digits."),
  scalar("sign", "number", rounded, "-1, 0 or 1."),
  scalar("sqrt", "number", analytic, "Square root."),
  scalar("cbrt", "number", DOUBLE, "Cube root."),
  scalar("exp", "number", analytic, "e raised to the argument."),
  scalar("ln", "number", analytic, "Natural logarithm."),
  scalar(
    "log",
    "number number?",
    analytic,
    "Logarithm to base 10, or of the second argument to the base of the first.",
  ),
  scalar("log10", "number", analytic, "Logarithm to base 10."),
  scalar("power", "number number", analytic, "The first argument raised to the second."),
  scalar("mod", "number number", common, "Remainder with the sign of the dividend."),
  scalar("div", "number number", NUMERIC, "Whole part of the quotient."),
  scalar("gcd", "number number", common, "Greatest common divisor."),
  scalar("lcm", "number number", common, "Least common multiple."),
  scalar("pi", "", DOUBLE, "The number pi.", { nulls: "never" }),
  scalar("degrees", "number", DOUBLE, "Radians to degrees."),
  scalar("radians", "number", DOUBLE, "Degrees to radians."),
  ...(["sin", "cos", "tan", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh"] as const).map((name) =>
    scalar(name, "number", DOUBLE, `The function ${name}, in radians.`),
  ),
  scalar("atan2", "number number", DOUBLE, "Angle of the point (second, first)."),
  scalar("random", "", DOUBLE, "A random number from 0 up to 1.", { safety: "volatile", nulls: "never" }),
  scalar("greatest", "any any*", common, "Largest argument; NULLs are ignored.", { nulls: "possible" }),
  scalar("least", "any any*", common, "Smallest argument; NULLs are ignored.", { nulls: "possible" }),
  scalar(
    "width_bucket",
    "number number number number",
    INTEGER,
    "Bucket of equal width between two bounds; 0 and n + 1 outside.",
  ),
  scalar("factorial", "number", NUMERIC, "Factorial."),
  ...(["asinh", "acosh", "atanh"] as const).map((name) => scalar(name, "number", DOUBLE, `The function ${name}.`)),
  // conditions
  scalar("num_nulls", "any any*", INTEGER, "How many arguments are NULL.", { nulls: "never" }),
  scalar("num_nonnulls", "any any*", INTEGER, "How many arguments are not NULL.", { nulls: "never" }),
  scalar("coalesce", "any*", common, "First argument that is not NULL.", { nulls: "possible" }),
  scalar("nullif", "any any", first, "NULL when both are equal, else the first.", { nulls: "possible" }),
  // text
  scalar("upper", "text", TEXT, "Upper case."),
  scalar("lower", "text", TEXT, "Lower case."),
  scalar("initcap", "text", TEXT, "First letter of each word in upper case, the rest in lower case."),
  scalar("length", "bytes", INTEGER, "Number of characters of a text, or of bytes."),
  scalar("bit_length", "bytes", INTEGER, "Number of bits."),
  scalar("octet_length", "any", INTEGER, "Number of bytes."),
  scalar("substring", "text number number?", TEXT, "Characters from a position counted from 1, for a length."),
  scalar("left", "text number", TEXT, "First n characters; all but the last -n when n is negative."),
  scalar("right", "text number", TEXT, "Last n characters; all but the first -n when n is negative."),
  scalar("lpad", "text number text?", TEXT, "Fills up on the left to a length, or cuts to it."),
  scalar("rpad", "text number text?", TEXT, "Fills up on the right to a length, or cuts to it."),
  scalar("btrim", "text text?", TEXT, "Removes characters (blanks) from both ends."),
  scalar("ltrim", "text text?", TEXT, "Removes characters (blanks) from the start."),
  scalar("rtrim", "text text?", TEXT, "Removes characters (blanks) from the end."),
  scalar("position", "text text", INTEGER, "Where the first argument starts in the second; 0 when it does not occur."),
  scalar("strpos", "text text", INTEGER, "Where the second argument starts in the first; 0 when it does not occur."),
  scalar("replace", "text text text", TEXT, "Replaces every occurrence."),
  scalar("translate", "text text text", TEXT, "Replaces characters one by one."),
  scalar("reverse", "text", TEXT, "Characters in reverse order."),
  scalar("repeat", "text number", TEXT, "The text n times."),
  scalar("overlay", "text text number number?", TEXT, "Replaces the characters from a position for a length."),
  scalar("concat", "any*", TEXT, "Joins the arguments' texts; NULLs are skipped.", { nulls: "never" }),
  scalar("concat_ws", "text any*", TEXT, "Joins with a separator; NULLs are skipped."),
  scalar("split_part", "text text number", TEXT, "The n-th part between separators; empty when there is none."),
  scalar("starts_with", "text text", BOOLEAN, "Whether the first argument starts with the second."),
  scalar("ascii", "text", INTEGER, "Code point of the first character."),
  scalar("chr", "number", TEXT, "Character of a code point."),
  scalar("md5", "any", TEXT, "MD5 digest in hexadecimal digits."),
  scalar("to_hex", "number", TEXT, "Hexadecimal digits."),
  scalar("encode", "bytes text", TEXT, "Bytes, or those of a text in UTF-8, as base64, hex or escape text."),
  scalar("decode", "text text", BINARY, "Bytes of a base64, hex or escape text."),
  scalar("regexp_replace", "text text text text?", TEXT, "Replaces the first match, or all with flag g."),
  scalar("regexp_like", "text text text?", BOOLEAN, "Whether the pattern matches anywhere."),
  scalar(
    "regexp_substr",
    "text text number? number? text? number?",
    TEXT,
    "The first match, or the n-th; NULL when there is none.",
    { nulls: "possible" },
  ),
  scalar("regexp_count", "text text number? text?", INTEGER, "Number of matches."),
  scalar(
    "regexp_match",
    "text text text?",
    { kind: "array", element: TEXT },
    "Groups of the first match, or all of it.",
    { nulls: "possible" },
  ),
  scalar(
    "regexp_split_to_array",
    "text text text?",
    { kind: "array", element: TEXT },
    "Splits at matches of a pattern.",
  ),
  scalar("string_to_array", "text text", { kind: "array", element: TEXT }, "Splits at a separator."),
  // dates and times
  scalar("date_trunc", "text temporal", truncated, "Start of the unit; weeks start on Monday."),
  scalar("age", "datetime datetime?", INTERVAL, "Calendar difference in years, months and days."),
  scalar(
    "date_diff",
    "text datetime datetime",
    BIGINT,
    "Unit boundaries crossed from the second to the third argument.",
  ),
  scalar("last_day", "datetime", DATE, "Last day of the month."),
  scalar("make_date", "number number number", DATE, "A date of year, month and day."),
  scalar("make_time", "number number number", TIME, "A time of hour, minute and second."),
  scalar(
    "make_interval",
    "number? number? number? number? number? number? number?",
    INTERVAL,
    "Years, months, weeks, days, hours, minutes, seconds; by name, too.",
    { nulls: "arguments" },
  ),
  scalar(
    "date_bin",
    "interval datetime datetime",
    (types) => (types[1]?.kind === "date" ? TIMESTAMP : (types[1] ?? UNKNOWN)),
    "Start of the interval of a series that begins at the third argument.",
  ),
  scalar("isfinite", "datetime", BOOLEAN, "Whether it is no infinity."),
  scalar("make_timestamp", "number number number number number number", TIMESTAMP, "A timestamp of its parts."),
  scalar("to_char", "any text", TEXT, "Text of a date, time or number in a format."),
  scalar("to_date", "text text", DATE, "Date of a text in a format."),
  scalar("to_timestamp", "any text?", TIMESTAMPTZ, "Instant of epoch seconds, or of a text in a format."),
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
  ).map(([name, parameters, type]) =>
    scalar(name, parameters, type, "The time of the statement, in UTC.", { safety: "volatile", nulls: "never" }),
  ),
  scalar("gen_random_uuid", "", UUID, "A random UUID.", { safety: "volatile", nulls: "never" }),
  // JSON
  scalar(
    "json_extract_path",
    "json text*",
    ([type = UNKNOWN]) => (type.kind === "json" ? type : JSONB_TYPE),
    "The value at a path.",
    { nulls: "possible" },
  ),
  scalar("json_extract_path_text", "json text*", TEXT, "The value at a path as text.", { nulls: "possible" }),
  scalar("json_build_object", "any?*", JSON_TYPE, "An object of names and values.", { nulls: "never" }),
  scalar("jsonb_build_object", "any?*", JSONB_TYPE, "An object of names and values, in the order of jsonb.", {
    nulls: "never",
  }),
  scalar("json_build_array", "any?*", JSON_TYPE, "An array of values.", { nulls: "never" }),
  scalar("jsonb_build_array", "any?*", JSONB_TYPE, "An array of values.", { nulls: "never" }),
  scalar("to_json", "any", JSON_TYPE, "The value as JSON."),
  scalar("to_jsonb", "any", JSONB_TYPE, "The value as JSON."),
  scalar("json_array_length", "json", INTEGER, "Number of elements."),
  scalar("json_typeof", "json", TEXT, "object, array, string, number, boolean or null."),
  // arrays
  scalar("cardinality", "array", INTEGER, "Number of elements."),
  scalar("array_length", "array number", INTEGER, "Length in a dimension; NULL when empty.", { nulls: "possible" }),
  scalar("array_contains", "array any", BOOLEAN, "Whether the array holds the value."),
  scalar("contains", "any any", BOOLEAN, "Whether an array holds a value, or a text another text."),
  scalar("array_position", "array any", INTEGER, "First index of the value, from 1.", { nulls: "possible" }),
  scalar("array_append", "array any", first, "The array with the value at its end."),
  scalar("array_cat", "array array", first, "Both arrays, one behind the other.", { nulls: "possible" }),
  scalar("array_prepend", "any array", (types) => types[1] ?? UNKNOWN, "The array with the value at its start."),
  scalar("array_remove", "array any", first, "The array without elements that equal the value."),
  scalar("array_upper", "array number", INTEGER, "Last index in a dimension; NULL when empty.", { nulls: "possible" }),
  scalar("array_lower", "array number", INTEGER, "First index in a dimension; NULL when empty.", { nulls: "possible" }),
  scalar("array_to_string", "array text text?", TEXT, "Elements joined by a separator; NULLs are skipped."),
];
