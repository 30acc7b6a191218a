/** Rules for the functions of the catalogue on Trino. Seen on Trino 476. */

import { unsupported } from "../../diagnostics.ts";
import { ageOf } from "../../lowering/ages.ts";
import { containing } from "../../lowering/array-members.ts";
import {
  text as arrayText,
  containsElement,
  joinedCall,
  length,
  lower,
  position,
  split,
  withElement,
  withoutElement,
} from "../../lowering/arrays.ts";
import { type DateFormats, dateText, numberOf } from "../../lowering/date-texts.ts";
import { decoded } from "../../lowering/encoded-texts.ts";
import { readDate } from "../../lowering/literal-dates.ts";
import { asDouble, ofDoubles, ofFraction } from "../../lowering/long-decimals.ts";
import { PERCENT_FORMATS } from "../../lowering/percent-formats.ts";
import { countedNulls, withoutNulls } from "../../lowering/present-values.ts";
import { orRaise } from "../../lowering/raising.ts";
import { functionRules, type Rules } from "../../lowering/rules.ts";
import { substring } from "../../lowering/substrings.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { end, overlaid, padded, replaced, trimmed } from "../../lowering/text-parts.ts";
import {
  binary,
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  logical,
  renamed,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { BinaryOperator, Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, TEXT, TIMESTAMP } from "../../types.ts";
import { MOST_LACK } from "../baselines.ts";
import { extreme, joinedTexts, mostFrequent, ofPairs, percentile } from "./aggregates.ts";
import { averaged, rounded, summed, wholeQuotient } from "./decimals.ts";
import { arrayLength, extractedPath, extractedText, jsonType, refuseJson } from "./json.ts";
import {
  regexpCount,
  regexpGroups,
  regexpLike,
  regexpParts,
  regexpReplace,
  regexpSubstring,
} from "./regular-expressions.ts";
import {
  bitLength,
  codePoint,
  concatenated,
  digest,
  encoded,
  hexadecimal,
  joinedValues,
  octetLength,
  part,
  repeated,
} from "./texts.ts";
import { dateDifference, localNow, now, ofEpoch, truncated } from "./times.ts";
import { inUtc } from "./zones.ts";

/** Where Trino gives NaN or an infinite number, PostgreSQL raises. */
const within =
  (operator: BinaryOperator, bound: number, upper?: number) =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined) return node;
    const limit = (sign: BinaryOperator, count: number): Expression =>
      binary(value, sign, integer(count, node), typed({ kind: "boolean" }, node));
    const low = limit(operator, bound);
    const fits = upper === undefined ? low : logical("and", [low, limit("<=", upper)], node);
    return orRaise(fits, node, value, "A number is out of range");
  };

function logarithm(node: Call): Expression {
  const [base, value] = values(node);
  if (base === undefined) return node;
  if (value === undefined) return within(">", 0)(renamed(node, "log10"));
  const positive = [base, value].map((each) => comparison(each, ">", integer(0, node), node));
  return orRaise(logical("and", positive, node), ofDoubles(node), value, "A number is out of range");
}

function cotangent(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const of = (name: string): Expression => call(name, [value], typed(DOUBLE, node));
  return binary(of("cos"), "/", of("sin"), inPlaceOf(node));
}

const FORMATS: DateFormats = {
  ...PERCENT_FORMATS,
  values: {
    Q: numberOf("quarter"),
    ID: numberOf("day_of_week"),
    US: (value, at) => {
      const local = cast(cast(value, "timestamp", typed(TIMESTAMP, at)), "text", typed(TEXT, at));
      return call("substr", [local, integer(-6, at)], typed(TEXT, at));
    },
  },
  joined: (parts, at) => {
    const [first = text("", at), ...others] = parts;
    return others.reduce((left, right) => binary(left, "||", right, typed(TEXT, at)), first);
  },
};

function shownDate(node: Call): Expression {
  const [value, ...others] = values(node);
  return dateText(value === undefined ? node : withArguments(node, [inUtc(value), ...others]), FORMATS);
}

function wholeQuotientOf(node: Call): Expression {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? node : wholeQuotient(left, right, node);
}

function groupedColumns(node: Call): undefined {
  const computed = values(node).find(({ kind }) => kind !== "bound");
  if (computed === undefined) return;
  throw unsupported("grouping() of an expression", computed.span, "Compute it in a subquery and group by its column.");
}

/** Beside a real, another number would be one: 0.1 is none of PostgreSQL's reals. */
function nullIf(node: Call): Expression | undefined {
  const [left, right] = values(node);
  if (left === undefined || right === undefined) return undefined;
  refuseJson(left, right);
  if (!isReal(left) && !isReal(right)) return undefined;
  const same = comparison(asDouble(left), "=", asDouble(right), node);
  return when(same, { kind: "null", span: node.span, ...(node.type && { type: node.type }) }, left, inPlaceOf(node));
}

const isReal = ({ type }: Expression): boolean => type?.kind === "float" && type.bits === 32;

/** Neither is put in order without keys. */
function neighbour(node: Call): Expression {
  const { over } = node;
  if (over === undefined || over.named || over.base !== undefined || over.orderBy.length > 0) return node;
  throw unsupported(`${node.name[0]?.name} of rows in no order`, node.span, "Write ORDER BY in OVER.");
}

/** Ranks look at no frame, and Trino refuses one. */
function ranked(node: Call): Call {
  const { over } = node;
  return over?.frame === undefined ? node : { ...node, over: { ...over, frame: undefined } };
}

export const trinoFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs mod exp degrees radians sin cos tan atan atan2 sinh cosh tanh random coalesce pi",
      "cardinality current_date upper lower length position strpos translate reverse starts_with chr",
      "count min max any_value bool_and bool_or stddev_samp stddev_pop var_samp var_pop max_by min_by",
      "row_number first_value last_value nth_value",
    ],
    {
      // numbers
      sign: ofFraction,
      ceil: ofFraction,
      floor: ofFraction,
      round: rounded("round"),
      trunc: rounded("truncate"),
      sqrt: within(">=", 0),
      cbrt: ofDoubles,
      ln: within(">", 0),
      log: logarithm,
      log10: within(">", 0),
      power: ofDoubles,
      div: wholeQuotientOf,
      cot: cotangent,
      asin: within(">=", -1, 1),
      acos: within(">=", -1, 1),
      greatest: extreme,
      least: extreme,
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      // texts
      initcap: { as: "initial capitals" },
      bit_length: bitLength,
      octet_length: octetLength,
      substring: (node) => renamedTo("substr", substring(node)),
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
      ascii: codePoint,
      md5: digest,
      to_hex: hexadecimal,
      encode: encoded,
      decode: decoded,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: regexpCount,
      regexp_match: regexpGroups,
      regexp_split_to_array: regexpParts,
      string_to_array: split,
      // dates
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      last_day: (node) => call("last_day_of_month", values(node).map(inUtc), inPlaceOf(node)),
      make_date: UNSUPPORTED.makeDate,
      // There is no infinite one.
      isfinite: (node) => when(isNull(values(node)[0] ?? node, true), truth(node), undefined, inPlaceOf(node)),
      to_char: shownDate,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      now,
      statement_timestamp: now,
      transaction_timestamp: now,
      current_timestamp: now,
      localtimestamp: localNow,
      localtime: (node) => cast(localNow(node), "time", inPlaceOf(node)),
      gen_random_uuid: { as: "uuid" },
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: arrayLength,
      json_typeof: jsonType,
      // arrays
      array_length: length,
      array_contains: containsElement,
      contains: (node) => containing(node, containsElement),
      array_position: position,
      array_append: withElement("last"),
      array_cat: joinedCall,
      array_prepend: withElement("first"),
      array_remove: withoutElement,
      array_replace: UNSUPPORTED.replacedElement,
      array_upper: length,
      array_lower: lower,
      array_to_string: arrayText,
      // rows
      // aggregates
      sum: summed,
      avg: averaged,
      string_agg: joinedTexts,
      array_agg: withoutNulls,
      corr: ofDoubles,
      covar_pop: ofDoubles,
      covar_samp: ofDoubles,
      regr_slope: ofDoubles,
      regr_intercept: ofDoubles,
      regr_r2: ofPairs,
      regr_avgx: ofPairs,
      regr_avgy: ofPairs,
      regr_sxx: ofPairs,
      regr_syy: ofPairs,
      regr_sxy: ofPairs,
      regr_count: ofPairs,
      bit_and: { as: "bitwise_and_agg" },
      bit_or: { as: "bitwise_or_agg" },
      bit_xor: { as: "bitwise_xor_agg" },
      percentile_cont: percentile,
      percentile_disc: percentile,
      mode: mostFrequent,
      grouping: groupedColumns,
      approx_count_distinct: { as: "approx_distinct" },
      rank: ranked,
      dense_rank: ranked,
      percent_rank: ranked,
      cume_dist: ranked,
      ntile: ranked,
      lag: neighbour,
      lead: neighbour,
    },
    MOST_LACK,
  );

const truth = ({ span }: Call): Expression => ({ kind: "boolean", value: true, span, type: { kind: "boolean" } });

/** Renames a call that a shared rewrite makes. */
function renamedTo(name: string, node: Expression): Expression {
  if (node.kind === "call") return renamed(node, name);
  if (node.kind !== "case") return node;
  return { ...node, branches: node.branches.map((each) => ({ ...each, then: renamedTo(name, each.then) })) };
}
