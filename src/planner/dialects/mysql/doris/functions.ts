/** Rules for the functions of the catalogue on Doris, by the manual: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/numeric-functions/round */

import { unsupported } from "../../../diagnostics.ts";
import { rejectUnknownType } from "../../../lowering/comparable.ts";
import { counted, ofTexts, sought } from "../../../lowering/plain-arguments.ts";
import { chosenOfReals, neighbourOfReals } from "../../../lowering/reals.ts";
import { pairs } from "../../../lowering/regression.ts";
import { functionRules, type Rules } from "../../../lowering/rules.ts";
import { substring } from "../../../lowering/substrings.ts";
import { naturalOf } from "../../../lowering/written-counts.ts";
import {
  cast,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  renamed,
  typed,
  values,
  when,
  withArguments,
} from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { INTEGER, typeOrUnknown } from "../../../types.ts";
import { extreme as greatestOf } from "../aggregates.ts";
import { padded, part } from "../texts.ts";
import { averaged, ofDoubles, power, remainder, rounded, summed, wholeQuotient } from "./numbers.ts";
import { bytesLength, concatenated, joinedTexts, joinedValues, length, located, startsWith, trimmed } from "./texts.ts";
import { currentDate, currentTimestamp, dateByFormat, dateDifference, formatted, lastDay, truncated } from "./times.ts";

const kindOf = (value: Expression): string => typeOrUnknown(value).kind;

/** Arguments that are compared within a group, or beside it. */
function told(node: Call): undefined {
  for (const value of values(node)) if (value.kind !== "null") rejectUnknownType(value);
}

function extremeOfGroup(node: Call): undefined {
  told(node);
  for (const value of values(node)) {
    if (kindOf(value) !== "boolean") continue;
    throw unsupported("the least or greatest boolean", node.span, "Use bool_and or bool_or.");
  }
}

/** NULL there where one of them is. */
function extreme(node: Call): Expression {
  extremeOfGroup(node);
  return greatestOf(node);
}

const truthOf =
  (name: "min" | "max") =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined) return node;
    const number = cast(value, "integer", typed(INTEGER, value));
    return comparison({ ...withArguments(renamed(node, name), [number]), type: INTEGER }, "=", integer(1, node), node);
  };

function counts(node: Call): undefined {
  if (node.distinct && node.over !== undefined) throw unsupported("count(DISTINCT …) over a window", node.span);
  if (node.distinct && node.arguments.length !== 1) throw unsupported("count(DISTINCT …) of several values", node.span);
  for (const value of values(node)) if (node.distinct) rejectUnknownType(value);
}

const ofNumbers =
  (name: string) =>
  (node: Call): Expression => {
    if (node.distinct) throw unsupported(`${name} of different values`, node.span, "Use a subquery with DISTINCT.");
    return renamed(ofDoubles(node), name);
  };

/** A value that no row lacks shows whether the row exists. */
function neighbour(found: Call): Expression | undefined {
  const node = neighbourOfReals(found);
  const [value, distance = integer(1, node), otherwise] = values(node);
  if (value === undefined || naturalOf(distance) === undefined) {
    throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
  }
  const none: Expression = { kind: "null", span: node.span, type: typeOrUnknown(node) };
  if (otherwise === undefined || otherwise.kind === "null") return withArguments(node, [value, distance, none]);
  const there: Expression = { ...withArguments(node, [integer(1, node), distance, none]), type: INTEGER };
  return when(isNull(there, false), otherwise, withArguments(node, [value, distance, none]), inPlaceOf(node));
}

/** A decimal, as on PostgreSQL. */
const whole = (node: Call): Expression => {
  const [left, right] = values(node);
  if (left === undefined || right === undefined) return node;
  return cast(wholeQuotient(left, right, node), "numeric", inPlaceOf(node), [19, 0]);
};

function remainderOf(node: Call): undefined {
  const [left, right] = values(node);
  if (left !== undefined && right !== undefined) remainder(left, right, node);
}

function powerOf(node: Call): Expression {
  const [base, exponent] = values(node);
  return base === undefined || exponent === undefined ? node : power(base, exponent, node);
}

/** Characters are counted from the end where the start is below zero, and there are none at 0. */
function cutOut(node: Call): Expression {
  ofTexts(node);
  const [, start, count] = values(node);
  for (const each of [start, count]) {
    if (each === undefined || naturalOf(each) !== undefined) continue;
    throw unsupported("substring with a computed or negative number", each.span, "Write it as a literal.");
  }
  return substring(node);
}

const LANGUAGE_OF_ARRAYS = { refused: "arrays", hint: "Use rows: a table, or string_agg for a list to show." };
const NO_JSON = { refused: "functions of json", hint: "Take members in the model's own SQL." };
const NO_ROWS = { refused: "a function that makes rows" };
const NO_INTERVALS = { refused: "an interval as a value", hint: "Use date_diff('day', a, b)." };
const NO_HYPERBOLA = { refused: "hyperbolic functions", hint: "Write (exp(x) - exp(-x)) / 2 and its like." };
const NO_BITS = { refused: "aggregates of bits" };
const NO_RESULT = {
  refused: "a root, a logarithm or an angle, which Doris returns as NULL outside its domain",
  hint: "Compute it in the model's own SQL.",
};
const NO_PERCENTILE = { refused: "a percentile", hint: "Number the rows in a subquery." };
const NO_PATTERNS = { refused: "functions of regular expressions", hint: "Use ~ with a simple pattern, or LIKE." };
const NO_REGRESSION = { refused: "a regression or correlation" };
const NO_LITERALS = { refused: "a text as a literal" };
const NO_CLOCK = { refused: "the time of day", hint: "Use now()." };
const UNKNOWN = { refused: "the called function" };

export const dorisFunctions = (): Rules<Call> =>
  functionRules(
    ["abs ceil floor sign pi row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value"],
    {
      // numbers
      round: rounded("round"),
      trunc: rounded("truncate"),
      sqrt: NO_RESULT,
      cbrt: ofDoubles,
      exp: ofDoubles,
      ln: NO_RESULT,
      log: NO_RESULT,
      log10: NO_RESULT,
      power: powerOf,
      degrees: ofDoubles,
      radians: ofDoubles,
      sin: ofDoubles,
      cos: ofDoubles,
      tan: ofDoubles,
      cot: NO_RESULT,
      asin: NO_RESULT,
      acos: NO_RESULT,
      atan: ofDoubles,
      atan2: ofDoubles,
      sinh: NO_HYPERBOLA,
      cosh: NO_HYPERBOLA,
      tanh: NO_HYPERBOLA,
      asinh: NO_HYPERBOLA,
      acosh: NO_HYPERBOLA,
      atanh: NO_HYPERBOLA,
      mod: remainderOf,
      div: whole,
      gcd: { refused: "the greatest common divisor" },
      lcm: { refused: "the least common multiple" },
      random: { as: "random" },
      coalesce: chosenOfReals,
      greatest: extreme,
      least: extreme,
      width_bucket: { refused: "width_bucket", hint: "Write floor((x - low) / width) + 1." },
      factorial: { refused: "a factorial" },
      num_nulls: { refused: "num_nulls", hint: "Add CASE WHEN x IS NULL THEN 1 ELSE 0 END." },
      num_nonnulls: { refused: "num_nonnulls", hint: "Add CASE WHEN x IS NULL THEN 0 ELSE 1 END." },
      nullif: told,
      // texts
      upper: ofTexts,
      lower: ofTexts,
      initcap: { refused: "initcap", hint: "Write upper(left(x, 1)) and the rest." },
      reverse: ofTexts,
      btrim: trimmed("trim"),
      ltrim: trimmed("ltrim"),
      rtrim: trimmed("rtrim"),
      length,
      octet_length: bytesLength,
      bit_length: { refused: "bit_length" },
      left: counted(1),
      right: counted(1),
      substring: cutOut,
      repeat: counted(1),
      lpad: padded,
      rpad: padded,
      position: located(0),
      strpos: located(1),
      replace: sought(1),
      translate: { refused: "translate", hint: "Use replace for each character." },
      overlay: { refused: "overlay", hint: "Join left(…), the text and substring(…)." },
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: part,
      starts_with: startsWith,
      ascii: { refused: "codes of characters" },
      chr: { refused: "codes of characters" },
      md5: { refused: "md5" },
      quote_literal: NO_LITERALS,
      quote_nullable: NO_LITERALS,
      to_hex: { refused: "to_hex" },
      encode: { refused: "encoded bytes" },
      decode: { refused: "decoded bytes" },
      regexp_replace: NO_PATTERNS,
      regexp_like: NO_PATTERNS,
      regexp_substr: NO_PATTERNS,
      regexp_count: NO_PATTERNS,
      regexp_match: LANGUAGE_OF_ARRAYS,
      regexp_split_to_array: LANGUAGE_OF_ARRAYS,
      string_to_array: LANGUAGE_OF_ARRAYS,
      // dates
      date_trunc: truncated,
      date_diff: dateDifference,
      last_day: lastDay,
      age: NO_INTERVALS,
      make_date: { refused: "make_date", hint: "Write a literal, or to_date of literals." },
      make_time: { refused: "make_time" },
      make_timestamp: { refused: "make_timestamp" },
      make_interval: NO_INTERVALS,
      justify_hours: NO_INTERVALS,
      justify_days: NO_INTERVALS,
      justify_interval: NO_INTERVALS,
      date_bin: { refused: "date_bin", hint: "Use date_trunc." },
      isfinite: { refused: "isfinite", hint: "Write IS NOT NULL: there is no infinite date." },
      to_char: formatted,
      to_date: dateByFormat,
      to_timestamp: dateByFormat,
      now: currentTimestamp,
      statement_timestamp: currentTimestamp,
      transaction_timestamp: currentTimestamp,
      clock_timestamp: { refused: "the time while a statement runs", hint: "Use now()." },
      current_timestamp: currentTimestamp,
      current_date: currentDate,
      localtimestamp: currentTimestamp,
      localtime: NO_CLOCK,
      gen_random_uuid: UNKNOWN,
      // JSON
      json_extract_path: NO_JSON,
      json_extract_path_text: NO_JSON,
      json_build_object: NO_JSON,
      jsonb_build_object: NO_JSON,
      json_build_array: NO_JSON,
      jsonb_build_array: NO_JSON,
      to_json: NO_JSON,
      to_jsonb: NO_JSON,
      json_array_length: NO_JSON,
      json_typeof: NO_JSON,
      // arrays
      cardinality: LANGUAGE_OF_ARRAYS,
      array_length: LANGUAGE_OF_ARRAYS,
      array_contains: LANGUAGE_OF_ARRAYS,
      contains: { refused: "contains", hint: "Use LIKE." },
      array_position: LANGUAGE_OF_ARRAYS,
      array_append: LANGUAGE_OF_ARRAYS,
      array_cat: LANGUAGE_OF_ARRAYS,
      array_prepend: LANGUAGE_OF_ARRAYS,
      array_remove: LANGUAGE_OF_ARRAYS,
      array_replace: LANGUAGE_OF_ARRAYS,
      array_upper: LANGUAGE_OF_ARRAYS,
      array_lower: LANGUAGE_OF_ARRAYS,
      array_to_string: LANGUAGE_OF_ARRAYS,
      // rows
      unnest: LANGUAGE_OF_ARRAYS,
      generate_series: NO_ROWS,
      json_array_elements: NO_ROWS,
      jsonb_array_elements: NO_ROWS,
      json_array_elements_text: NO_ROWS,
      jsonb_array_elements_text: NO_ROWS,
      json_each: NO_ROWS,
      jsonb_each: NO_ROWS,
      json_each_text: NO_ROWS,
      jsonb_each_text: NO_ROWS,
      json_object_keys: NO_ROWS,
      jsonb_object_keys: NO_ROWS,
      regexp_split_to_table: NO_ROWS,
      string_to_table: NO_ROWS,
      regexp_matches: NO_ROWS,
      // aggregates
      count: counts,
      sum: summed,
      avg: averaged,
      min: extremeOfGroup,
      max: extremeOfGroup,
      any_value: (node) => extremeOfGroup(node) ?? renamed(node, "max"),
      string_agg: joinedTexts,
      array_agg: LANGUAGE_OF_ARRAYS,
      bool_and: truthOf("min"),
      bool_or: truthOf("max"),
      stddev_samp: ofNumbers("stddev_samp"),
      stddev_pop: ofNumbers("stddev_pop"),
      var_samp: ofNumbers("var_samp"),
      var_pop: ofNumbers("var_pop"),
      corr: NO_REGRESSION,
      covar_pop: NO_REGRESSION,
      covar_samp: NO_REGRESSION,
      regr_slope: NO_REGRESSION,
      regr_intercept: NO_REGRESSION,
      regr_r2: NO_REGRESSION,
      regr_avgx: NO_REGRESSION,
      regr_avgy: NO_REGRESSION,
      regr_sxx: NO_REGRESSION,
      regr_syy: NO_REGRESSION,
      regr_sxy: NO_REGRESSION,
      regr_count: pairs("count"),
      bit_and: NO_BITS,
      bit_or: NO_BITS,
      bit_xor: NO_BITS,
      json_agg: NO_JSON,
      jsonb_agg: NO_JSON,
      json_object_agg: NO_JSON,
      jsonb_object_agg: NO_JSON,
      max_by: { refused: "max_by", hint: "Use first_value(x) OVER (… ORDER BY y DESC)." },
      min_by: { refused: "min_by", hint: "Use first_value(x) OVER (… ORDER BY y)." },
      product: { refused: "a product of rows" },
      skewness: { refused: "the skewness of values" },
      kurtosis: { refused: "the kurtosis of values" },
      percentile_cont: NO_PERCENTILE,
      percentile_disc: NO_PERCENTILE,
      mode: { refused: "the most frequent value", hint: "Count in a subquery and take the first row." },
      approx_count_distinct: (node) =>
        counts({ ...node, distinct: true }) ?? { ...renamed(node, "count"), distinct: true },
      grouping: { refused: "grouping() without grouping sets" },
      // windows
      lag: neighbour,
      lead: neighbour,
    },
  );
