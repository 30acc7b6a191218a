/** Rules for the functions of the catalogue on MySQL and MariaDB. Seen on MySQL 9.7 and MariaDB 10.11. */

import { ageOf } from "../../lowering/ages.ts";
import { isAnyOf } from "../../lowering/array-members.ts";
import { readDate } from "../../lowering/literal-dates.ts";
import { quantifiedWithoutArrays } from "../../lowering/quantified.ts";
import { chosenOfReals, sumOfReals } from "../../lowering/reals.ts";
import { pairs, regressionBy } from "../../lowering/regression.ts";
import { functionRules, type Rules } from "../../lowering/rules.ts";
import { substring } from "../../lowering/substrings.ts";
import { words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import {
  binary,
  call,
  cast,
  inPlaceOf,
  integer,
  isNull,
  logical,
  renamed,
  typeName,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { BinaryOperator, Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTEGER, INTERVAL, TIMESTAMP, typeOrUnknown } from "../../types.ts";
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
import { compared, nullIf, textKey } from "./exact-text.ts";
import { formatted } from "./formats.ts";
import { arrayLength, extractedPath, extractedText, jsonType } from "./json.ts";
import { asJson, jsonArray, jsonArrayOfRows, jsonObject, jsonObjectOfRows } from "./json-texts.ts";
import { initialCapitals, translated } from "./letters.ts";
import { beginning, wholeQuotient } from "./operators.ts";
import { orRaise } from "./raising.ts";
import { regexpLike, regexpReplace, regexpSubstring } from "./regular-expressions.ts";
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
  replaced,
  trimmed,
} from "./texts.ts";
import { dateDifference, truncated, utcTimestamp } from "./times.ts";

/** Where MySQL gives NULL for what has no result, PostgreSQL raises. */
const within =
  (operator: BinaryOperator, bound: number, upper?: number) =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined) return node;
    const meets = (sign: BinaryOperator, limit: number): Expression =>
      binary(value, sign, integer(limit, node), { span: node.span, type: BOOLEAN });
    const low = meets(operator, bound);
    return orRaise(upper === undefined ? low : logical("and", [low, meets("<=", upper)], node), node, value);
  };

function logarithm(node: Call): Expression {
  const [base, value] = values(node);
  if (base === undefined) return node;
  if (value === undefined) return within(">", 0)(renamed(node, "log10"));
  const valid = logical(
    "and",
    [base, value].map((each) => binary(each, ">", integer(0, node), { span: node.span, type: BOOLEAN })),
    node,
  );
  return orRaise(valid, node, value);
}

function cubeRoot(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const place = { span: node.span, type: DOUBLE };
  const third = binary({ kind: "number", text: "1e0", span: node.span, type: DOUBLE }, "/", integer(3, node), place);
  const root = call("pow", [call("abs", [value], place), third], place);
  return binary(call("sign", [value], place), "*", root, place);
}

const withDigits = (node: Call): Expression =>
  call("truncate", node.arguments.length === 1 ? [...values(node), integer(0, node)] : values(node), inPlaceOf(node));

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

const constant =
  (digits: string) =>
  (node: Call): Expression => ({ kind: "number", text: digits, span: node.span, type: DOUBLE });

const flag =
  (name: string) =>
  (node: Call): Expression =>
    renamed(node, name);
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
      round: ofSettled,
      ceil: ofSettled,
      floor: ofSettled,
      trunc: withDigits,
      sqrt: within(">=", 0),
      cbrt: cubeRoot,
      ln: within(">", 0),
      log: logarithm,
      log10: within(">", 0),
      power: { as: "pow" },
      div: (node) => wholeQuotientOf(node),
      pi: constant("3.141592653589793e0"),
      asin: within(">=", -1, 1),
      acos: within(">=", -1, 1),
      sinh: UNSUPPORTED.hyperbolic,
      cosh: UNSUPPORTED.hyperbolic,
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
      left: end,
      right: end,
      lpad: padded,
      rpad: padded,
      btrim: trimmed("both"),
      ltrim: trimmed("leading"),
      rtrim: trimmed("trailing"),
      position,
      strpos: positionIn,
      replace: replaced,
      translate: translated,
      overlay: UNSUPPORTED.overlay,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: part,
      starts_with: (node) => beginningOf(node),
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
      regexp_match: UNSUPPORTED.arrays,
      regexp_split_to_array: UNSUPPORTED.arrays,
      // Refused where one is left over (`arrays.ts`).
      string_to_array: (node) => node,
      // dates
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      make_date: UNSUPPORTED.makeDate,
      // There is no infinite one.
      isfinite: (node) => when(isNull(values(node)[0] ?? node, true), truth(node), undefined, inPlaceOf(node)),
      to_char: formatted,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      now: utcTimestamp,
      statement_timestamp: utcTimestamp,
      transaction_timestamp: utcTimestamp,
      current_timestamp: utcTimestamp,
      current_date: (node) => call("utc_date", [], inPlaceOf(node)),
      localtimestamp: utcTimestamp,
      localtime: (node) => call("utc_time", [integer(6, node)], inPlaceOf(node)),
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
      json_array_length: arrayLength,
      json_typeof: jsonType,
      // arrays
      cardinality,
      array_length: cardinality,
      array_contains: (node) => anyOf(node),
      contains: (node) => containing(node),
      array_position: positionOf,
      array_upper: UNSUPPORTED.arrays,
      array_lower: UNSUPPORTED.arrays,
      array_to_string: joinedElements,
      // rows
      unnest: UNSUPPORTED.arrays,
      generate_series: UNSUPPORTED.madeRows,
      regexp_split_to_table: UNSUPPORTED.madeRows,
      string_to_table: UNSUPPORTED.madeRows,
      // aggregates
      count: countedRows,
      min: extremeOfGroup,
      max: extremeOfGroup,
      // A sum of reals is one.
      sum: (node) => (isReal(node) ? sumOfReals(node) : undefined),
      any_value: flag("min"),
      bool_and: flag("min"),
      bool_or: flag("max"),
      string_agg: joinedTexts,
      array_agg: (node) => node,
      corr: regression,
      covar_pop: regression,
      covar_samp: regression,
      regr_slope: regression,
      regr_intercept: {
        refused: "the intercept of a regression",
        hint: "Write regr_avgy(y, x) - regr_slope(y, x) * regr_avgx(y, x).",
      },
      regr_r2: { refused: "the share that a regression explains", hint: "Write corr(y, x) ^ 2." },
      regr_avgx: regression,
      regr_avgy: regression,
      regr_sxx: regression,
      regr_syy: regression,
      regr_sxy: regression,
      regr_count: pairs("count"),
      bit_and: UNSUPPORTED.bitAggregates,
      bit_or: UNSUPPORTED.bitAggregates,
      bit_xor: UNSUPPORTED.bitAggregates,
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

const truth = ({ span }: Call): Expression => ({ kind: "boolean", value: true, span, type: BOOLEAN });

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

const anyOf = (node: Call): Expression => {
  const found = isAnyOf(node);
  return found.kind === "quantified" ? quantifiedWithoutArrays(found, { keyOf: textKey, compare: compared }) : node;
};

function containing(node: Call): Expression {
  const [whole, piece] = values(node);
  if (whole === undefined || piece === undefined || typeOrUnknown(whole).kind !== "text") return anyOf(node);
  const at = { span: node.span, type: INTEGER };
  return binary(
    positionIn(withArguments(call("strpos", [], at), [whole, piece])),
    ">",
    integer(0, node),
    inPlaceOf(node),
  );
}
