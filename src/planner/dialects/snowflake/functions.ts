/** Rules for the functions of the catalogue on Snowflake (https://docs.snowflake.com/en/sql-reference/functions-all). */

import { unsupported } from "../../diagnostics.ts";
import { containing, isAnyOf } from "../../lowering/arrays/array-members.ts";
import { asDouble, ofDoubles, ofFraction } from "../../lowering/numbers/long-decimals.ts";
import { ofPairs } from "../../lowering/numbers/pairs-of-doubles.ts";
import { chosenOfReals, isReal } from "../../lowering/numbers/reals.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { quantifiedWithoutArrays } from "../../lowering/queries/quantified.ts";
import { functionRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { decoded } from "../../lowering/texts/encoded-texts.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { end, overlaid, padded, repeated, replaced, translated, trimmed } from "../../lowering/texts/text-parts.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { type DateFormats, dateText, renderedBy } from "../../lowering/times/date-texts.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import {
  binary,
  call,
  concatenation,
  inPlaceOf,
  integer,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, TEXT } from "../../types.ts";
import { UNCHANGED_ARRAYS } from "../baselines.ts";
import { anyValue, extreme, joinedTexts, ofIntegers, percentile, refuseNullableValue } from "./aggregates.ts";
import { isMemberOfColumn, joinedElements, positionOf, sizeOf } from "./arrays.ts";
import { REALS } from "./casts.ts";
import { averaged, remainder, rounded, wholeQuotient } from "./decimals.ts";
import { arrayLength, extractedPath, extractedText, jsonType, refuseStructures } from "./json.ts";
import { gathered, joinedCall, split } from "./made-arrays.ts";
import { regexpCount, regexpGroups, regexpLike, regexpReplace, regexpSubstring } from "./regular-expressions.ts";
import { concatenated, digest, encoded, joinedValues, part } from "./texts.ts";
import { dateDifference, part as dateField, localNow, now, timeNow, today, toTimestamp, truncated } from "./times.ts";
import { neighbour, ranked, valueOfFrame } from "./windows.ts";
import { asClock, inUtc } from "./zones.ts";

function logarithm(node: Call): Expression {
  const [base, value] = values(node);
  if (base === undefined) return node;
  if (value === undefined) return withArguments(node, [integer(10, node), asDouble(base)]);
  return ofDoubles(node);
}

const commonLogarithm = (node: Call): Expression =>
  call("log", [integer(10, node), ...values(node).map(asDouble)], inPlaceOf(node));

/** https://docs.snowflake.com/en/sql-reference/date-time-input-output#about-the-elements-used-in-input-and-output-formats */
const FORMATS: DateFormats = {
  tokens: {
    YYYY: "YYYY",
    YY: "YY",
    MM: "MM",
    Mon: "MON",
    FMMonth: "MMMM",
    DD: "DD",
    Dy: "DY",
    HH24: "HH24",
    HH12: "HH12",
    HH: "HH12",
    MI: "MI",
    SS: "SS",
    MS: "FF3",
    US: "FF6",
    AM: "AM",
    PM: "AM",
  },
  literal: (written) => (/^[^\p{L}\p{N}"]*$/u.test(written) ? written : `"${written.replaceAll('"', '""')}"`),
  values: {
    Q: (value, at) => callText(dateField("quarter", value, at), at),
    ID: (value, at) => callText(dateField("dayofweekiso", value, at), at),
    IYYY: (value, at) => callText(dateField("yearofweekiso", value, at), at),
    IW: (value, at) => filled(dateField("weekiso", value, at), 2, at),
    DDD: (value, at) => filled(dateField("dayofyear", value, at), 3, at),
  },
  joined: (parts, at) => {
    const [first = text("", at), ...others] = parts;
    return others.reduce((left, right) => concatenation(left, right, at), first);
  },
};

const callText = (value: Expression, at: Expression): Expression => call("to_char", [value], typed(TEXT, at));
const filled = (value: Expression, length: number, at: Expression): Expression =>
  call("lpad", [callText(value, at), integer(length, at), text("0", at)], typed(TEXT, at));

export const TIME_PATTERNS = renderedBy(FORMATS);

function shownDate(node: Call): Expression {
  const [value, format, ...others] = values(node);
  if (format?.kind === "string" && format.value.includes('"')) {
    const plain = format.value.replaceAll(/"[^"\\]*"/g, "");
    if (/["\\]/.test(plain)) throw unsupported("quotes in a format", format.span);
  }
  return dateText(
    value === undefined || format === undefined ? node : withArguments(node, [asClock(value), format, ...others]),
    FORMATS,
  );
}

function wholeQuotientOf(node: Call): Expression {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? node : wholeQuotient(left, right, inPlaceOf(node));
}

function remainderOf(node: Call): undefined {
  const [left, right] = values(node);
  if (left !== undefined && right !== undefined) remainder(binary(left, "%", right, inPlaceOf(node)));
}

/** The manual says nothing of the order of arrays. */
function comparedValues(node: Call): undefined {
  refuseStructures(...values(node));
}

function greatestOrLeast(node: Call): Expression | undefined {
  comparedValues(node);
  return extreme(chosenOfReals(node, REALS.asReal));
}

/** A call with one value is an error on Snowflake. */
function firstPresent(node: Call): Expression | undefined {
  const [only, ...others] = values(node);
  return others.length === 0 ? only : chosenOfReals(node, REALS.asReal);
}

/** Written out alone: its arrays are those of json. */
function isMember(node: Call): Expression {
  const found = isAnyOf(node);
  if (found.kind !== "quantified") return node;
  return isMemberOfColumn(found) ?? quantifiedWithoutArrays(found, { keyOf: (each) => each, compare: (each) => each });
}

/** They have the characters of the whole. */
const position = (node: Call): Expression => call("charindex", values(node), inPlaceOf(node));
const strpos = (node: Call): Expression => call("charindex", values(node).toReversed(), inPlaceOf(node));

const cotangent = (node: Call): Expression => {
  const [value] = values(node);
  return value === undefined ? node : call("cot", [asDouble(value)], typed(DOUBLE, node));
};

const NO_CAPITALS = {
  refused: "initcap",
  hint: "Write upper(left(x, 1)) || lower(substring(x FROM 2)) for one word.",
};

export const snowflakeFunctions = (): Rules<Call> =>
  functionRules(
    ["abs pi upper lower length reverse octet_length bit_length factorial", "count"],
    {
      // numbers
      mod: remainderOf,
      exp: ofDoubles,
      degrees: ofDoubles,
      radians: ofDoubles,
      sin: ofDoubles,
      cos: ofDoubles,
      tan: ofDoubles,
      cot: cotangent,
      asin: ofDoubles,
      acos: ofDoubles,
      atan: ofDoubles,
      atan2: ofDoubles,
      sinh: ofDoubles,
      cosh: ofDoubles,
      tanh: ofDoubles,
      asinh: ofDoubles,
      acosh: ofDoubles,
      atanh: ofDoubles,
      random: { as: "a number by chance" },
      sign: ofFraction,
      ceil: ofFraction,
      floor: ofFraction,
      round: rounded("round"),
      trunc: rounded("trunc"),
      sqrt: ofDoubles,
      cbrt: ofDoubles,
      ln: ofDoubles,
      log: logarithm,
      log10: commonLogarithm,
      power: ofDoubles,
      div: wholeQuotientOf,
      greatest: greatestOrLeast,
      least: greatestOrLeast,
      max: comparedValues,
      min: comparedValues,
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: comparedValues,
      coalesce: firstPresent,
      // texts
      starts_with: { as: "startswith" },
      position,
      strpos,
      translate: translated,
      chr: ofIntegers("chr"),
      initcap: NO_CAPITALS,
      substring,
      left: end,
      right: end,
      lpad: padded,
      rpad: padded,
      btrim: trimmed("ltrim", "rtrim"),
      ltrim: trimmed("ltrim"),
      rtrim: trimmed("rtrim"),
      replace: replaced,
      repeat: repeated,
      overlay: overlaid,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: part,
      ascii: { as: "unicode" },
      md5: digest,
      to_hex: UNSUPPORTED.hexadecimalNumber,
      encode: encoded,
      decode: decoded,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: regexpCount,
      regexp_match: regexpGroups,
      regexp_split_to_array: UNSUPPORTED.arrays,
      string_to_array: split,
      // dates
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      last_day: (node) => withArguments(node, values(node).map(inUtc)),
      to_char: shownDate,
      to_date: readDate,
      to_timestamp: toTimestamp,
      now,
      statement_timestamp: now,
      transaction_timestamp: now,
      current_timestamp: now,
      current_date: today,
      localtimestamp: localNow,
      localtime: timeNow,
      gen_random_uuid: UNSUPPORTED.randomUuid,
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: arrayLength,
      json_typeof: jsonType,
      // arrays
      cardinality: sizeOf,
      array_length: sizeOf,
      array_upper: sizeOf,
      array_append: joinedCall,
      array_cat: joinedCall,
      array_prepend: joinedCall,
      array_contains: isMember,
      contains: (node) => containing(node, isMember),
      array_position: positionOf,
      array_lower: UNSUPPORTED.arrays,
      array_to_string: joinedElements,
      // rows
      // aggregates
      sum: (node) => (isReal(node.type) ? REALS.rounded(node) : undefined),
      avg: averaged,
      any_value: anyValue,
      max_by: refuseNullableValue,
      min_by: refuseNullableValue,
      bool_and: { as: "booland_agg" },
      bool_or: { as: "boolor_agg" },
      string_agg: joinedTexts,
      array_agg: gathered,
      stddev_samp: ofDoubles,
      stddev_pop: ofDoubles,
      var_samp: ofDoubles,
      var_pop: ofDoubles,
      covar_pop: ofDoubles,
      covar_samp: ofDoubles,
      corr: ofPairs,
      regr_slope: ofPairs,
      regr_intercept: ofPairs,
      regr_r2: ofPairs,
      regr_avgx: ofPairs,
      regr_avgy: ofPairs,
      regr_sxx: ofPairs,
      regr_syy: ofPairs,
      regr_sxy: ofPairs,
      regr_count: ofPairs,
      bit_and: ofIntegers("bitand_agg"),
      bit_or: ofIntegers("bitor_agg"),
      bit_xor: ofIntegers("bitxor_agg"),
      percentile_cont: percentile,
      percentile_disc: percentile,
      grouping: UNSUPPORTED.grouping,
      // An estimate by its name.
      approx_count_distinct: { as: "approx_count_distinct" },
      row_number: ranked,
      rank: ranked,
      dense_rank: ranked,
      percent_rank: ranked,
      cume_dist: ranked,
      ntile: ranked,
      lag: neighbour,
      lead: neighbour,
      first_value: valueOfFrame,
      last_value: valueOfFrame,
      nth_value: valueOfFrame,
    },
    UNCHANGED_ARRAYS,
  );
