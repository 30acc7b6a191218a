/** Rules for the functions of the catalogue on MySQL and MariaDB. Seen on MySQL 9.7 and MariaDB 10.11. */

import { isAnyOf } from "../../lowering/arrays/array-members.ts";
import { chosenOfReals, sumOfReals } from "../../lowering/numbers/reals.ts";
import { pairs, regressionBy } from "../../lowering/numbers/regression.ts";
import { functionRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { byCount, spelled, sql, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import {
  binary,
  call,
  cast,
  inPlaceOf,
  integer,
  renamed,
  typeName,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { INTEGER, INTERVAL, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { MOST_LACK } from "../baselines.ts";
import {
  countedNulls,
  countedRows,
  extreme,
  extremeOfGroup,
  joinedTexts,
  neighbour,
  percentile,
} from "./aggregates.ts";
import { cardinality, joinedElements, positionOf } from "./arrays.ts";
import { roundedToScale } from "./casts.ts";
import { exact, nullIf } from "./exact-text.ts";
import { formatted } from "./formats.ts";
import { ARRAY_LENGTH, extractedPath, extractedText, JSON_TYPE_NAME } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { asJson, jsonArray, jsonArrayOfRows, jsonObject, jsonObjectOfRows } from "./json-texts.ts";
import { initialCapitals, translated } from "./letters.ts";
import { beginning, wholeQuotient } from "./operators.ts";
import { replaced } from "./quirks/replaced-texts.ts";
import { raisingUnless } from "./raising.ts";
import { regexpGroups, regexpLike, regexpReplace, regexpSubstring } from "./regular-expressions.ts";
import {
  bitLength,
  bytesLength,
  codePoint,
  concatenated,
  encoded,
  end,
  hexadecimal,
  joinedValues,
  length,
  padded,
  part,
  position,
  positionIn,
  trimmed,
} from "./texts.ts";
import { dateDifference, truncated, UTC_TIMESTAMP } from "./times.ts";

/** The value of `then` for numbers that have a result: for others MySQL gives NULL, and PostgreSQL raises. */
const checked = (condition: string, then: string): Template =>
  sql(raisingUnless(condition, then), { scale: "computed" });

const CONTAINS = sql("position($1 IN $2) > 0");

/** Seconds since 1970, with a fraction. */
function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  if (seconds === undefined) return node;
  const { span } = node;
  const microseconds = call(
    "round",
    [binary(seconds, "*", integer(1_000_000, node), { span, type: typeOrUnknown(seconds) })],
    { span, type: INTEGER },
  );
  const start: Expression = {
    kind: "typed",
    typeName: typeName("timestamp", node),
    value: "1970-01-01 00:00:00",
    span,
    type: TIMESTAMP,
  };
  const step: Expression = {
    kind: "interval",
    value: microseconds,
    unit: "microsecond",
    toUnit: undefined,
    span,
    type: INTERVAL,
  };
  return call("date_add", [start, step], inPlaceOf(node));
}

const regression = regressionBy({
  ofNumber: (value) => value,
  sum: (value, at) => call("sum", [value], at),
  count: "count",
});

export const mysqlFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs sign exp mod degrees radians sin cos tan cot atan atan2 upper lower reverse repeat",
      "last_day avg stddev_samp stddev_pop var_samp var_pop",
      "first_value last_value nth_value",
    ],
    {
      // numbers
      ...sameRule("round ceil floor", ofSettled),
      trunc: byCount(sql("truncate($1, 0)"), sql("truncate($1, $2)")),
      sqrt: checked("$1 >= 0", "sqrt($1)"),
      cbrt: sql("sign($1) * pow(abs($1), 1e0 / 3)"),
      ln: checked("$1 > 0", "ln($1)"),
      log: byCount(
        checked("$1 > 0", "log10($1)"),
        sql(raisingUnless("$1 > 0 AND $2 > 0", "log($1, $2)", "$2"), { scale: "computed" }),
      ),
      log10: checked("$1 > 0", "log10($1)"),
      power: { as: "pow" },
      div: wholeQuotientOf,
      pi: sql("3.141592653589793e0", { nulls: "never" }),
      asin: checked("$1 >= -1 AND $1 <= 1", "asin($1)"),
      acos: checked("$1 >= -1 AND $1 <= 1", "acos($1)"),
      sinh: UNSUPPORTED.hyperbolic,
      tanh: UNSUPPORTED.hyperbolic,
      random: { as: "rand" },
      coalesce: chosenOfReals,
      greatest: extreme,
      least: extreme,
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      // texts
      initcap: initialCapitals,
      length,
      bit_length: bitLength,
      octet_length: bytesLength,
      substring,
      left: end("left"),
      right: end("right"),
      lpad: padded,
      rpad: padded,
      btrim: trimmed("both"),
      ltrim: trimmed("leading"),
      rtrim: trimmed("trailing"),
      position,
      strpos: positionIn,
      replace: replaced,
      translate: translated,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: part,
      starts_with: beginningOf,
      ascii: codePoint,
      chr: words("CONVERT(CHAR($1 USING utf32) USING utf8mb4)"),
      md5: { refused: "md5", hint: "MySQL before 9.6 and MariaDB have it; MySQL 9.6 does not." },
      to_hex: hexadecimal,
      encode: encoded,
      decode: UNSUPPORTED.decodedBytes,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: UNSUPPORTED.patternCount,
      regexp_match: regexpGroups,
      regexp_split_to_array: UNSUPPORTED.arrays,
      // Refused where one is left over (`arrays.ts`).
      string_to_array: (node) => node,
      // dates
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      to_char: formatted,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      ...sameRule("now statement_timestamp transaction_timestamp current_timestamp", UTC_TIMESTAMP),
      current_date: sql("utc_date()"),
      localtimestamp: UTC_TIMESTAMP,
      localtime: sql("utc_time(6)"),
      gen_random_uuid: { as: "uuid" },
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_build_object: jsonObject,
      jsonb_build_object: jsonObject,
      json_build_array: jsonArray,
      jsonb_build_array: jsonArray,
      to_json: asJson,
      to_jsonb: asJson,
      json_array_length: ARRAY_LENGTH,
      json_typeof: JSON_TYPE_NAME,
      // arrays
      cardinality,
      array_length: cardinality,
      array_contains: anyOf,
      contains: containing,
      array_position: positionOf,
      array_upper: cardinality,
      array_lower: UNSUPPORTED.arrays,
      ...sameRule("array_append array_prepend array_cat", ARRAYS.joinedCall),
      array_remove: ARRAYS.withoutElement,
      array_replace: ARRAYS.replacedElement,
      array_to_string: joinedElements,
      // rows
      unnest: UNSUPPORTED.arrays,
      ...sameRule("generate_series regexp_split_to_table string_to_table", UNSUPPORTED.madeRows),
      // aggregates
      count: countedRows,
      min: extremeOfGroup,
      max: extremeOfGroup,
      // A sum of reals is one.
      sum: (node) => (isReal(node) ? sumOfReals(node) : undefined),
      any_value: { as: "min" },
      bool_and: { as: "min" },
      bool_or: { as: "max" },
      string_agg: joinedTexts,
      array_agg: (node) => node,
      ...sameRule("corr covar_pop covar_samp regr_slope regr_avgx regr_avgy regr_sxx regr_syy regr_sxy", regression),
      regr_count: pairs("count"),
      ...sameRule("bit_and bit_or bit_xor", UNSUPPORTED.bitAggregates),
      json_agg: jsonArrayOfRows,
      jsonb_agg: jsonArrayOfRows,
      json_object_agg: jsonObjectOfRows,
      jsonb_object_agg: { refused: "json of rows whose names are sorted", hint: "Use json_object_agg." },
      percentile_cont: percentile,
      percentile_disc: percentile,
      approx_count_distinct: (node) => ({ ...renamed(node, "count"), distinct: true }),
      grouping: UNSUPPORTED.groupingWithoutSets,
      row_number: signed,
      rank: ranked(1, signed),
      dense_rank: ranked(1, signed),
      percent_rank: ranked(0),
      cume_dist: ranked(1),
      ntile: signed,
      lag: neighbour,
      lead: neighbour,
    },
    MOST_LACK,
  );

/** A difference or quotient of unsigned numbers below zero is an error. */
const signed = (node: Call): Expression => cast(node, "bigint", inPlaceOf(node));

/** Among rows without an order all are peers; MariaDB wants one. */
const ranked =
  (ofPeers: number, otherwise: (node: Call) => Expression = (node) => node) =>
  (node: Call): Expression => {
    const { over } = node;
    const isOrdered = over === undefined || over.named || over.base !== undefined || over.orderBy.length > 0;
    return isOrdered ? otherwise(node) : { ...integer(ofPeers, node), ...(node.type && { type: node.type }) };
  };

const ofSettled = (node: Call): Call => {
  const [value, ...digits] = values(node);
  return value === undefined ? node : withArguments(node, [roundedToScale(value), ...digits]);
};

function isReal(node: Call): boolean {
  const type = typeOrUnknown(node);
  return type.kind === "float" && type.bits === 32;
}

function wholeQuotientOf(node: Call): Expression {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? node : wholeQuotient(left, right, node);
}

function beginningOf(node: Call): Expression {
  const [whole, start] = values(node);
  return whole === undefined || start === undefined ? node : beginning(whole, start, node);
}

function anyOf(node: Call): Expression {
  const found = isAnyOf(node);
  return found.kind === "quantified" ? ARRAYS.quantified(found) : node;
}

function containing(node: Call): Expression {
  const [whole, piece] = values(node);
  if (whole === undefined || piece === undefined || typeOrUnknown(whole).kind !== "text") return anyOf(node);
  return spelled(CONTAINS, [piece, exact(whole)], node);
}
