/** Rules for the functions of the catalogue on BigQuery. Seen on GoogleSQL's evaluator. */

import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { containing, isAnyOf } from "../../lowering/arrays/array-members.ts";
import { asDouble, asLong, ofDoubles, ofFraction } from "../../lowering/numbers/long-decimals.ts";
import { ofPairs } from "../../lowering/numbers/pairs-of-doubles.ts";
import { chosenOfReals, isReal } from "../../lowering/numbers/reals.ts";
import { refuseMixedReals } from "../../lowering/numbers/rounded-reals.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { functionRules, type Rules } from "../../lowering/rules.ts";
import { rule } from "../../lowering/templates/parameters.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
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
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { DOUBLE, TEXT, typeOrUnknown } from "../../types.ts";
import { UNCHANGED_ARRAYS } from "../baselines.ts";
import { anyValue, extreme, gathered, joinedTexts, percentile } from "./aggregates.ts";
import { REALS } from "./casts.ts";
import { averaged, remainder, rounded, summed, wholeQuotient } from "./decimals.ts";
import { arrayLength, extractedPath, extractedText, jsonType } from "./json.ts";
import { inArray, refuseUncompared } from "./operators.ts";
import { regexpCount, regexpGroups, regexpLike, regexpReplace, regexpSubstring } from "./regular-expressions.ts";
import { bitLength, concatenated, digest, encoded, joinedValues, octetLength, part, split } from "./texts.ts";
import { dateDifference, localNow, now, ofEpoch, timeNow, truncated } from "./times.ts";
import { asClock, inUtc } from "./zones.ts";

/** BigQuery's log of one argument is natural, PostgreSQL's has base 10; of two arguments BigQuery takes the base last. */
function logarithm(node: Call): Expression {
  const [base, value] = values(node);
  if (base === undefined) return node;
  if (value === undefined) return call("log10", [asDouble(base)], inPlaceOf(node));
  return call("log", [asDouble(value), asDouble(base)], inPlaceOf(node));
}

function cotangent(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const of = (name: string): Expression => call(name, [asDouble(value)], typed(DOUBLE, node));
  return binary(of("cos"), "/", of("sin"), inPlaceOf(node));
}

const angle =
  (numerator: string, denominator: string) =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined) return node;
    return call("turned", [asDouble(value), text(numerator, node), text(denominator, node)], typed(DOUBLE, node));
  };

const WEEKDAY = words("rpad(FORMAT_DATETIME('%A', $1), 9)", { type: TEXT });
/** The digits behind the point of `%E6S`. */
const MICROSECOND = words("substr(FORMAT_DATETIME('%E6S', $1), 4)", { type: TEXT });

const FORMATS: DateFormats = {
  tokens: {
    YYYY: "%E4Y",
    YY: "%y",
    IYYY: "%G",
    MM: "%m",
    Mon: "%b",
    FMMonth: "%B",
    DD: "%d",
    DDD: "%j",
    Dy: "%a",
    FMDay: "%A",
    IW: "%V",
    HH24: "%H",
    HH12: "%I",
    HH: "%I",
    MI: "%M",
    SS: "%S",
    AM: "%p",
    PM: "%p",
    Q: "%Q",
  },
  literal: (written) => written.replaceAll("%", "%%"),
  values: {
    US: (value, at) => spelled(MICROSECOND, [value], at),
    Day: (value, at) => spelled(WEEKDAY, [value], at),
  },
  joined: (parts, at) => {
    const [first = text("", at), ...others] = parts;
    return others.reduce((left, right) => concatenation(left, right, at), first);
  },
};

export const TIME_PATTERNS = renderedBy(FORMATS);

function shownDate(node: Call): Expression {
  const [value, ...others] = values(node);
  return dateText(value === undefined ? node : withArguments(node, [asClock(value), ...others]), FORMATS);
}

function initialCapitals(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const isAggregate = (each: Expression): boolean =>
    each.kind === "call" && isAggregateCall(each, findFunction(functionName(each)));
  if (someExpression(value, isAggregate)) throw unsupported("initcap of an aggregate", node.span, "Use a subquery.");
  return call("first present", [call("capitals of", [value], inPlaceOf(node)), value], inPlaceOf(node));
}

function wholeQuotientOf(node: Call): Expression {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? node : wholeQuotient(left, right, node);
}

function remainderOf(node: Call): Expression {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? node : remainder(binary(left, "%", right, inPlaceOf(node)));
}

function nullIf(node: Call): undefined {
  refuseUncompared(...values(node));
}

/** Its default has to be of the value's type there, and the distance a number that is written out. */
function neighbour(node: Call): Expression {
  const { over } = node;
  const [value, distance, otherwise] = values(node);
  if (over?.frame !== undefined) return neighbour({ ...node, over: { ...over, frame: undefined } });
  if (value === undefined || distance === undefined) return node;
  refuseMixedReals(otherwise === undefined ? [] : [value, otherwise]);
  if (distance.kind !== "number") {
    throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
  }
  const isPlain = otherwise === undefined || ["number", "string", "null", "typed"].includes(otherwise.kind);
  if (!isPlain) throw unsupported("a computed default of a missing row", otherwise.span, "Use coalesce.");
  return node;
}

/** Ranks look at no frame, and GoogleSQL refuses one. */
function ranked(node: Call): Call {
  const { over } = node;
  return over?.frame === undefined ? node : { ...node, over: { ...over, frame: undefined } };
}

function unordered(node: Call): Call {
  const { over } = node;
  if (over === undefined || over.orderBy.length > 0) return ranked(node);
  throw unsupported(`${node.name[0]?.name} of rows in no order`, node.span, "Write ORDER BY in OVER.");
}

/** Whole numbers alone: of their sets and of decimals GoogleSQL's have other types. */
const ofIntegers = (node: Call): undefined => {
  const [value] = values(node);
  if (value !== undefined && typeOrUnknown(value).kind === "integer") return;
  throw unsupported(`${node.name[0]?.name} of this`, node.span);
};

/** GoogleSQL's takes the number of a sequence of bytes, or no text. */
function codePoint(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : renamed(node, "unicode");
}

function arraysLength(node: Call): Expression {
  const [value, dimension] = values(node);
  if (value === undefined) return node;
  if (dimension !== undefined && !(dimension.kind === "number" && dimension.text === "1")) {
    throw unsupported("the length of another dimension", dimension.span);
  }
  const length = call("array_length", [value], inPlaceOf(node));
  // An array without elements has no length in PostgreSQL.
  return node.name[0]?.name === "cardinality"
    ? length
    : call(
        "nullif",
        [length, { kind: "number", text: "0", span: node.span, type: typeOrUnknown(node) }],
        inPlaceOf(node),
      );
}

const longNumbers = (node: Call): Call =>
  withArguments(
    node,
    values(node).map((value) => (typeOrUnknown(value).kind === "decimal" ? asLong(value) : value)),
  );

/** Arguments below the least value of a kind: `pow` and similar functions return doubles, and raise where PostgreSQL does. */
const sign = (node: Call): Call | undefined => {
  const [value] = values(node);
  if (value !== undefined && typeOrUnknown(value).kind === "decimal") return longNumbers(node);
  return ofFraction(node);
};

const NOT_LOOKED_AT = { refused: "the called function" };

export const bigqueryFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs upper lower reverse starts_with count min max stddev_samp stddev_pop var_samp var_pop",
      "row_number covar_pop covar_samp length strpos",
    ],
    {
      // numbers
      mod: remainderOf,
      exp: ofDoubles,
      degrees: angle("180", "acos(-1)"),
      radians: angle("acos(-1)", "180"),
      sin: ofDoubles,
      cos: ofDoubles,
      tan: ofDoubles,
      atan: ofDoubles,
      atan2: ofDoubles,
      sinh: ofDoubles,
      cosh: ofDoubles,
      tanh: ofDoubles,
      random: { as: "rand" },
      pi: { as: "half turn" },
      sign,
      ceil: sign,
      floor: sign,
      round: rounded("round"),
      trunc: rounded("truncate"),
      sqrt: ofDoubles,
      cbrt: NOT_LOOKED_AT,
      ln: ofDoubles,
      log: logarithm,
      log10: ofDoubles,
      power: (node) => call("pow", values(node).map(asDouble), inPlaceOf(node)),
      div: wholeQuotientOf,
      cot: cotangent,
      asin: ofDoubles,
      acos: ofDoubles,
      asinh: ofDoubles,
      acosh: ofDoubles,
      atanh: ofDoubles,
      coalesce: (node) => chosenOfReals(node, REALS.asReal),
      greatest: (node) => extreme(chosenOfReals(node, REALS.asReal)),
      least: (node) => extreme(chosenOfReals(node, REALS.asReal)),
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      // texts
      position: (node) => call("strpos", values(node).toReversed(), inPlaceOf(node)),
      translate: translated,
      chr: ofIntegers,
      initcap: initialCapitals,
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
      to_hex: UNSUPPORTED.hexadecimalNumber,
      encode: encoded,
      decode: decoded,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: regexpCount,
      regexp_match: regexpGroups,
      regexp_split_to_array: { refused: "a split by a regular expression" },
      string_to_array: split,
      // dates
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      make_date: rule("integer, integer, integer", words("DATE($1, $2, $3)")),
      last_day: (node) => call("last_day", values(node).map(inUtc), inPlaceOf(node)),
      to_char: shownDate,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      now,
      statement_timestamp: now,
      transaction_timestamp: now,
      current_timestamp: now,
      current_date: { as: "current day" },
      localtimestamp: localNow,
      localtime: timeNow,
      gen_random_uuid: UNSUPPORTED.randomUuid,
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: arrayLength,
      json_typeof: jsonType,
      // arrays
      cardinality: arraysLength,
      array_length: arraysLength,
      array_contains: isMember,
      contains: (node) => containing(node, isMember),
      array_position: { refused: "the place of an element" },
      array_upper: arraysLength,
      array_lower: { refused: "the bounds of an array" },
      array_to_string: textOfTexts,
      // rows
      // aggregates
      sum: (node) => (isReal(node.type) ? REALS.rounded(node) : summed(node)),
      avg: averaged,
      any_value: anyValue,
      bool_and: { as: "logical_and" },
      bool_or: { as: "logical_or" },
      string_agg: joinedTexts,
      array_agg: gathered,
      max_by: { refused: "max_by", hint: "Use row_number() in a subquery." },
      min_by: { refused: "min_by", hint: "Use row_number() in a subquery." },
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
      bit_and: ofIntegers,
      bit_or: ofIntegers,
      bit_xor: ofIntegers,
      percentile_cont: percentile,
      percentile_disc: percentile,
      grouping: UNSUPPORTED.grouping,
      // An estimate by its name: the evaluator has no such thing.
      approx_count_distinct: { refused: "an estimated count", hint: "Use count(DISTINCT …)." },
      rank: unordered,
      dense_rank: unordered,
      percent_rank: unordered,
      cume_dist: unordered,
      ntile: unordered,
      lag: neighbour,
      lead: neighbour,
      first_value: ofFrame,
      last_value: ofFrame,
      nth_value: ofFrame,
    },
    UNCHANGED_ARRAYS,
  );

/** Without an order GoogleSQL has no frame of them. */
function ofFrame(node: Call): undefined {
  if (node.over !== undefined && node.over.orderBy.length > 0) return;
  throw unsupported(`${node.name[0]?.name} of rows in no order`, node.span, "Write ORDER BY in OVER.");
}

/** GoogleSQL's takes texts alone, and leaves NULLs out as PostgreSQL does. */
function textOfTexts(node: Call): undefined {
  const [array, , missing] = values(node);
  const type = array && typeOrUnknown(array);
  const isOfTexts = type?.kind === "array" && type.element.kind === "text";
  if (isOfTexts && (missing === undefined || missing.kind === "string")) return;
  throw unsupported("the text of an array", node.span, "Use string_agg.");
}

function isMember(node: Call): Expression {
  const found = isAnyOf(node);
  if (found.kind !== "quantified" || found.array === undefined) return node;
  return inArray(found.operand, found.array, node);
}

/** Renames a call that a shared rewrite makes. */
function renamedTo(name: string, node: Expression): Expression {
  if (node.kind === "call") return renamed(node, name);
  if (node.kind !== "case") return node;
  return { ...node, branches: node.branches.map((each) => ({ ...each, then: renamedTo(name, each.then) })) };
}
