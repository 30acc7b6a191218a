/** Rules for the functions of the catalogue on Trino. Seen on Trino 476. */

import { unsupported } from "../../diagnostics.ts";
import { containing } from "../../lowering/arrays/array-members.ts";
import {
  text as arrayText,
  containsElement,
  joinedCall,
  length,
  lower,
  position,
  replacedElement,
  split,
  withElement,
  withoutElement,
} from "../../lowering/arrays/arrays.ts";
import { asDouble, ofDoubles, ofFraction } from "../../lowering/numbers/long-decimals.ts";
import { ofPairs } from "../../lowering/numbers/pairs-of-doubles.ts";
import { countedNulls, withoutNulls } from "../../lowering/present-values.ts";
import { inRange } from "../../lowering/raising.ts";
import { functionRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { byCount, spelled, sql, words } from "../../lowering/templates/template.ts";
import { decoded } from "../../lowering/texts/encoded-texts.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { end, overlaid, padded, replaced, trimmed } from "../../lowering/texts/text-parts.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { type DateFormats, dateText, numberOf, renderedBy } from "../../lowering/times/date-texts.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import { PERCENT_FORMATS } from "../../lowering/times/percent-formats.ts";
import {
  binary,
  call,
  cast,
  comparison,
  inPlaceOf,
  renamed,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT, TIMESTAMP } from "../../types.ts";
import { MADE_ROWS_IN_FROM } from "../baselines.ts";
import { extreme, joinedTexts, mostFrequent, percentile } from "./aggregates.ts";
import { averaged, rounded, summed, wholeQuotient } from "./decimals.ts";
import { ARRAY_LENGTH, extractedPath, extractedText, JSON_TYPE_NAME, refuseJson } from "./json.ts";
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
  CODE_POINT,
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

const LOGARITHM = inRange("$1 > 0 AND $2 > 0", "log(CAST($1 AS double precision), CAST($2 AS double precision))", "$2");
const MICROSECONDS = sql("substr(CAST($1 AS text), -6)", { type: TEXT });

const FORMATS: DateFormats = {
  ...PERCENT_FORMATS,
  values: {
    Q: numberOf("quarter"),
    ID: numberOf("day_of_week"),
    US: (value, at) => spelled(MICROSECONDS, [cast(value, "timestamp", typed(TIMESTAMP, at))], at),
  },
  joined: (parts, at) => {
    const [first = text("", at), ...others] = parts;
    return others.reduce((left, right) => binary(left, "||", right, typed(TEXT, at)), first);
  },
};

export const TIME_PATTERNS = renderedBy(FORMATS);

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

/** Trino would make a real of a number beside one; PostgreSQL compares both as doubles. */
function nullIf(node: Call): Expression | undefined {
  const [left, right] = values(node);
  if (left === undefined || right === undefined) return undefined;
  refuseJson(left, right);
  if (!isReal(left) && !isReal(right)) return undefined;
  const same = comparison(asDouble(left), "=", asDouble(right), node);
  return when(same, { kind: "null", span: node.span, ...(node.type && { type: node.type }) }, left, inPlaceOf(node));
}

const isReal = ({ type }: Expression): boolean => type?.kind === "float" && type.bits === 32;

/** `lag` and `lead` need keys on Trino. */
function neighbour(node: Call): Expression {
  const { over } = node;
  if (over === undefined || over.named || over.base !== undefined || over.orderBy.length > 0) return node;
  throw unsupported(`${node.name[0]?.name} of rows in no order`, node.span, "Write ORDER BY in OVER.");
}

/** The functions that rank rows ignore a frame, and Trino refuses one. */
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
      ...sameRule("sign ceil floor", ofFraction),
      round: rounded("round"),
      trunc: rounded("truncate"),
      sqrt: inRange("$1 >= 0", "sqrt($1)"),
      cbrt: ofDoubles,
      ln: inRange("$1 > 0", "ln($1)"),
      log: byCount(inRange("$1 > 0", "log10($1)"), LOGARITHM),
      log10: inRange("$1 > 0", "log10($1)"),
      power: ofDoubles,
      div: wholeQuotientOf,
      cot: sql("cos($1) / sin($1)"),
      asin: inRange("$1 >= -1 AND $1 <= 1", "asin($1)"),
      acos: inRange("$1 >= -1 AND $1 <= 1", "acos($1)"),
      greatest: extreme("greatest"),
      least: extreme("least"),
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      // texts
      initcap: words("regexp_replace(lower($1), '([\\p{L}\\p{N}])([\\p{L}\\p{N}]*)', _m -> upper(_m[1]) || _m[2])"),
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
      ascii: CODE_POINT,
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
      to_char: shownDate,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      now,
      ...sameRule("statement_timestamp transaction_timestamp current_timestamp", now),
      localtimestamp: localNow,
      localtime: (node) => cast(localNow(node), "time", inPlaceOf(node)),
      gen_random_uuid: { as: "uuid" },
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: ARRAY_LENGTH,
      json_typeof: JSON_TYPE_NAME,
      // arrays
      array_length: length,
      array_contains: containsElement,
      contains: (node) => containing(node, containsElement),
      array_position: position,
      array_append: withElement("last"),
      array_cat: joinedCall,
      array_prepend: withElement("first"),
      array_remove: withoutElement,
      array_replace: replacedElement(
        words("transform($1, _e -> CASE WHEN _e IS NOT DISTINCT FROM $2 THEN $3 ELSE _e END)"),
      ),
      array_upper: length,
      array_lower: lower,
      array_to_string: arrayText,
      // aggregates
      sum: summed,
      avg: averaged,
      string_agg: joinedTexts,
      array_agg: withoutNulls,
      ...sameRule("corr covar_pop covar_samp regr_slope regr_intercept", ofDoubles),
      ...sameRule("regr_r2 regr_avgx regr_avgy regr_sxx regr_syy regr_sxy regr_count", ofPairs),
      bit_and: { as: "bitwise_and_agg" },
      bit_or: { as: "bitwise_or_agg" },
      bit_xor: { as: "bitwise_xor_agg" },
      percentile_cont: percentile,
      percentile_disc: percentile,
      mode: mostFrequent,
      grouping: groupedColumns,
      approx_count_distinct: { as: "approx_distinct" },
      ...sameRule("rank dense_rank percent_rank cume_dist ntile", ranked),
      lag: neighbour,
      lead: neighbour,
    },
    MADE_ROWS_IN_FROM,
  );

/** Renames a call that a shared rewrite makes. */
function renamedTo(name: string, node: Expression): Expression {
  if (node.kind === "call") return renamed(node, name);
  if (node.kind !== "case") return node;
  return { ...node, branches: node.branches.map((each) => ({ ...each, then: renamedTo(name, each.then) })) };
}
