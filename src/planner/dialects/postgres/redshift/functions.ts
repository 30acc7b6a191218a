/** Rules for the functions of the catalogue on Redshift, by the manual: https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html */

import { unsupported } from "../../../diagnostics.ts";
import { counted, ofTexts, sought } from "../../../lowering/plain-arguments.ts";
import { pairs, regressionBy } from "../../../lowering/regression.ts";
import { functionRules, type Rules } from "../../../lowering/rules.ts";
import { naturalOf } from "../../../lowering/written-counts.ts";
import { call, cast, inPlaceOf, integer, isNull, renamed, values, when, withArguments } from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { INTEGER, typeOrUnknown } from "../../../types.ts";
import {
  asDecimal,
  asDouble,
  averaged,
  ofDoubles,
  remainder,
  rounded,
  scaleOf,
  summed,
  wholeQuotient,
} from "./decimals.ts";
import { TEXTS } from "./exact-text.ts";
import { concatenated, joinedTexts, joinedValues, length, partOfText, startsWith } from "./texts.ts";
import {
  age,
  currentDate,
  currentTimestamp,
  dateByFormat,
  dateDifference,
  dateText,
  lastDay,
  truncated,
} from "./times.ts";

const kindOf = (value: Expression): string => typeOrUnknown(value).kind;

/** The least and greatest of booleans are not there, and texts and documents have orders of their own. */
const compared =
  (...refused: readonly string[]) =>
  (node: Call): undefined => {
    for (const value of values(node)) {
      if (!refused.includes(kindOf(value))) continue;
      throw unsupported(`the least or greatest ${kindOf(value)}`, node.span, "Use bool_and, bool_or or CASE.");
    }
  };

const extreme = compared("boolean", "json", "array", "interval", "opaque");

function counts(node: Call): undefined {
  if (node.distinct && node.over !== undefined) throw unsupported("count(DISTINCT …) over a window", node.span);
  if (node.distinct && node.arguments.length !== 1) throw unsupported("count(DISTINCT …) of several values", node.span);
}

const ofNumbers =
  (name: string) =>
  (node: Call): Expression => {
    if (node.distinct) throw unsupported(`${name} of different values`, node.span, "Use a subquery with DISTINCT.");
    return renamed(ofDoubles(node), name);
  };

/** https://docs.aws.amazon.com/redshift/latest/dg/r_PERCENTILE_CONT.html: of decimals a decimal, which may not hold it. */
function percentile(node: Call): Call {
  const [fraction] = values(node);
  if (fraction?.kind !== "number" || node.over !== undefined || node.withinGroup.length !== 1) {
    throw unsupported("a percentile with these arguments", node.span, "Write the fraction as a literal.");
  }
  return {
    ...node,
    withinGroup: node.withinGroup.map((item) => ({ ...item, expression: asDouble(item.expression) })),
  };
}

/** A value that no row lacks shows whether the row exists: the call has two arguments. */
function neighbour(node: Call): Expression | undefined {
  const [value, distance = integer(1, node), otherwise] = values(node);
  if (value === undefined || naturalOf(distance) === undefined) {
    throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
  }
  if (otherwise === undefined || otherwise.kind === "null") return withArguments(node, [value, distance]);
  const there: Expression = { ...withArguments(node, [integer(1, node), distance]), type: INTEGER };
  return when(isNull(there, false), otherwise, withArguments(node, [value, distance]), inPlaceOf(node));
}

const regression = regressionBy({
  ofNumber: (value) => asDecimal(value, [18 + (scaleOf(value) ?? 0), scaleOf(value) ?? 0]),
  sum: (value, at) => call("sum", [value], at),
  count: "count",
});

/** Products of two of them are multiplied with their number. */
function ofShortNumbers(node: Call): Expression {
  const scales = values(node).map(scaleOf);
  if (scales.every((scale) => scale !== undefined && scale <= 3)) return regression(node);
  throw unsupported("a regression or correlation of more than three digits behind the point", node.span, "Round them.");
}

/** A decimal, as on PostgreSQL. */
const whole = (node: Call): Expression => {
  const [left, right] = values(node);
  if (left === undefined || right === undefined) return node;
  return cast(wholeQuotient(left, right, node), "numeric", inPlaceOf(node), [19, 0]);
};

function mod(node: Call): undefined {
  const [left, right] = values(node);
  if (left !== undefined && right !== undefined) remainder(left, right, node);
}

/** Base 10; another base is a second argument. */
function logarithm(node: Call): Expression {
  if (node.arguments.length === 1) return renamed(ofDoubles(node), "log");
  throw unsupported("a logarithm of another base", node.span, "Write ln(x) / ln(b).");
}

const LANGUAGE_OF_ARRAYS = { refused: "arrays", hint: "Use rows: a table, or string_agg for a list to show." };
const NO_JSON = { refused: "functions of json", hint: "Take members in the model's own SQL." };
const NO_ROWS = { refused: "a function that makes rows" };
const NO_INTERVALS = { refused: "an interval as a value", hint: "Use date_diff('day', a, b)." };
const NO_HYPERBOLA = { refused: "hyperbolic functions", hint: "Write (exp(x) - exp(-x)) / 2 and its like." };
const NO_BITS = { refused: "aggregates of bits" };
const NO_PATTERNS = { refused: "functions of regular expressions", hint: "Use ~ with a simple pattern, or LIKE." };
const NO_REGRESSION = { refused: "the regression function", hint: "Ask for corr or regr_slope." };
const NO_LITERALS = { refused: "a text as a literal" };
const NO_CLOCK = { refused: "the time of day", hint: "Use now()." };
const UNKNOWN = { refused: "the called function" };

export const redshiftFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs ceil floor sign pi coalesce bool_and bool_or grouping row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value",
    ],
    {
      // numbers
      round: rounded("round"),
      trunc: rounded("trunc"),
      sqrt: ofDoubles,
      cbrt: ofDoubles,
      exp: ofDoubles,
      ln: ofDoubles,
      log: logarithm,
      log10: (node) => renamed(ofDoubles(node), "log"),
      power: ofDoubles,
      degrees: ofDoubles,
      radians: ofDoubles,
      sin: ofDoubles,
      cos: ofDoubles,
      tan: ofDoubles,
      cot: ofDoubles,
      asin: ofDoubles,
      acos: ofDoubles,
      atan: ofDoubles,
      atan2: ofDoubles,
      sinh: NO_HYPERBOLA,
      cosh: NO_HYPERBOLA,
      tanh: NO_HYPERBOLA,
      asinh: NO_HYPERBOLA,
      acosh: NO_HYPERBOLA,
      atanh: NO_HYPERBOLA,
      mod,
      div: whole,
      gcd: { refused: "the greatest common divisor" },
      lcm: { refused: "the least common multiple" },
      random: { refused: "random()" },
      greatest: compared("boolean", "text", "json", "array", "interval", "opaque"),
      least: compared("boolean", "text", "json", "array", "interval", "opaque"),
      width_bucket: { refused: "width_bucket", hint: "Write floor((x - low) / width) + 1." },
      factorial: { refused: "a factorial" },
      num_nulls: { refused: "num_nulls", hint: "Add CASE WHEN x IS NULL THEN 1 ELSE 0 END." },
      num_nonnulls: { refused: "num_nonnulls", hint: "Add CASE WHEN x IS NULL THEN 0 ELSE 1 END." },
      nullif: TEXTS.nullIf,
      // texts
      upper: ofTexts,
      lower: ofTexts,
      initcap: ofTexts,
      reverse: ofTexts,
      btrim: ofTexts,
      ltrim: ofTexts,
      rtrim: ofTexts,
      length,
      octet_length: ofTexts,
      bit_length: { refused: "bit_length" },
      left: counted(1),
      right: counted(1),
      substring: counted(1, 2),
      repeat: counted(1),
      lpad: counted(1),
      rpad: counted(1),
      position: sought(0),
      strpos: sought(1),
      replace: sought(1),
      translate: sought(1),
      overlay: { refused: "overlay", hint: "Join left(…), the text and substring(…)." },
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: partOfText,
      starts_with: startsWith,
      ascii: { refused: "codes of characters" },
      chr: { refused: "codes of characters" },
      md5: ofTexts,
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
      age,
      make_date: { refused: "make_date", hint: "Write a literal, or to_date of literals." },
      make_time: { refused: "make_time" },
      make_timestamp: { refused: "make_timestamp" },
      make_interval: NO_INTERVALS,
      justify_hours: NO_INTERVALS,
      justify_days: NO_INTERVALS,
      justify_interval: NO_INTERVALS,
      date_bin: { refused: "date_bin", hint: "Use date_trunc." },
      isfinite: { refused: "isfinite", hint: "Write IS NOT NULL: there is no infinite date." },
      to_char: dateText,
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
      min: extreme,
      max: extreme,
      any_value: (node) => extreme(node) ?? renamed(node, "max"),
      string_agg: joinedTexts,
      array_agg: LANGUAGE_OF_ARRAYS,
      stddev_samp: ofNumbers("stddev_samp"),
      stddev_pop: ofNumbers("stddev_pop"),
      var_samp: ofNumbers("var_samp"),
      var_pop: ofNumbers("var_pop"),
      corr: ofShortNumbers,
      covar_pop: ofShortNumbers,
      covar_samp: ofShortNumbers,
      regr_slope: ofShortNumbers,
      regr_intercept: NO_REGRESSION,
      regr_r2: NO_REGRESSION,
      regr_avgx: ofShortNumbers,
      regr_avgy: ofShortNumbers,
      regr_sxx: ofShortNumbers,
      regr_syy: ofShortNumbers,
      regr_sxy: ofShortNumbers,
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
      percentile_cont: percentile,
      percentile_disc: { refused: "percentile_disc", hint: "Use percentile_cont, or number the rows in a subquery." },
      mode: { refused: "the most frequent value", hint: "Count in a subquery and take the first row." },
      approx_count_distinct: (node) =>
        counts({ ...node, distinct: true }) ?? { ...renamed(node, "count"), distinct: true },
      // windows
      lag: neighbour,
      lead: neighbour,
    },
  );
