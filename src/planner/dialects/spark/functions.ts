/** Rules for the functions of the catalogue on Spark. Seen on Spark 4.0.1. */

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
import { ofDoubles } from "../../lowering/numbers/long-decimals.ts";
import { chosenOfReals, neighbourOfReals } from "../../lowering/numbers/reals.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { inRange } from "../../lowering/raising.ts";
import { functionRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { byCount, sql, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import { binary, inPlaceOf, integer, values, when, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DATE, type SqlType, typeOrUnknown } from "../../types.ts";
import { MADE_ROWS_IN_FROM } from "../baselines.ts";
import { anyValue, correlated, gathered, joinedTexts, mostFrequent, percentile } from "./aggregates.ts";
import { averaged, cut, edge, rounded, sign, summed, wholeQuotient } from "./decimals.ts";
import { shownDate } from "./formats.ts";
import { arrayLength, extractedPath, extractedText, refuseJson } from "./json.ts";
import {
  regexpCount,
  regexpGroups,
  regexpLike,
  regexpParts,
  regexpReplace,
  regexpSubstring,
} from "./regular-expressions.ts";
import {
  character,
  concatenated,
  decoded,
  encoded,
  end,
  hexadecimal,
  joinedValues,
  overlaid,
  padded,
  part,
  trimmed,
} from "./texts.ts";
import { dateDifference, ofEpoch, truncated } from "./times.ts";

const LOGARITHM = inRange("$1 > 0 AND $2 > 0", "log(CAST($1 AS double precision), CAST($2 AS double precision))", "$2");

function wholeQuotientOf(node: Call): Expression {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? node : wholeQuotient(left, right, node);
}

/** Spark's takes one column; PostgreSQL's joins the bits of all, the first one's in front. */
function groupedColumns(node: Call): Expression | undefined {
  const [computed] = values(node).filter(({ kind }) => kind !== "bound");
  if (computed !== undefined) {
    throw unsupported(
      "grouping() of an expression",
      computed.span,
      "Compute it in a subquery and group by its column.",
    );
  }
  const [first = node, ...others] = values(node).map((column) => withArguments(node, [column]));
  return others.reduce<Expression>((bits, each) => {
    const shifted = binary(bits, "*", integer(2, node), inPlaceOf(node));
    return binary(shifted, "+", each, inPlaceOf(node));
  }, first);
}

function nullIf(node: Call): undefined {
  refuseJson(...values(node));
}

/** The functions that rank rows ignore a frame, and Spark refuses one; it refuses them without an order, too. */
function ranked(node: Call): Call {
  const { over, span } = node;
  if (over === undefined) return node;
  const none = { kind: "null", span, type: { kind: "null" } } as const;
  const anyOrder = { expression: none, direction: undefined, nulls: undefined, span };
  const orderBy = over.orderBy.length > 0 ? over.orderBy : [anyOrder];
  return { ...node, over: { ...over, orderBy, frame: undefined } };
}

/**
 * Spark casts the default of `lag` and `lead` to the type of the value, which may lose digits: the value is cast to the common
 * type of both.
 */
function neighbour(found: Call): Call {
  const node = neighbourOfReals(found);
  const [value, offset, otherwise] = values(node);
  const type = otherwise && typeOrUnknown(otherwise);
  const isOther = type !== undefined && type.kind !== "null" && (type.kind === "decimal" || !sameType(value, type));
  if (!isOther || value === undefined || offset === undefined || otherwise === undefined) return ranked(node);
  const truth: Expression = { kind: "boolean", value: true, span: node.span, type: { kind: "boolean" } };
  return ranked(withArguments(node, [when(truth, value, otherwise, inPlaceOf(node)), offset, otherwise]));
}

const sameType = (value: Expression | undefined, type: SqlType): boolean =>
  value !== undefined && JSON.stringify(typeOrUnknown(value)) === JSON.stringify(type);

/** Spark needs two arguments; one alone is the result. */
function extreme(node: Call): Expression {
  const [only, ...others] = values(node);
  return only !== undefined && others.length === 0 ? only : chosenOfReals(node);
}

function digest(node: Call): Expression | undefined {
  const [value] = values(node);
  return value !== undefined && typeOrUnknown(value).kind === "text" ? undefined : node;
}

const INITIAL_CAPITALS = words(
  "array_join(transform(split(lower($1), '(?<![\\\\p{L}\\\\p{N}])(?=[\\\\p{L}\\\\p{N}])', -1), " +
    "_w -> concat(upper(substring(_w, 1, 1)), substring(_w, 2))), '')",
);

const NO_JSON_PARTS = { refused: "a key or containment operator of json" };

export const sparkFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs mod exp degrees radians sin cos tan cot atan atan2 sinh cosh tanh pi",
      "cardinality current_date upper lower length position strpos translate reverse starts_with ascii",
      "bit_length octet_length replace repeat",
      "count min max bool_and bool_or stddev_samp stddev_pop var_samp var_pop max_by min_by",
      "bit_and bit_or bit_xor approx_count_distinct first_value last_value nth_value",
    ],
    {
      // numbers
      sign,
      ceil: edge("ceil"),
      floor: edge("floor"),
      round: rounded,
      trunc: cut,
      sqrt: inRange("$1 >= 0", "sqrt($1)"),
      cbrt: ofDoubles,
      ln: inRange("$1 > 0", "ln($1)"),
      log: byCount(inRange("$1 > 0", "log10($1)"), LOGARITHM),
      log10: inRange("$1 > 0", "log10($1)"),
      power: ofDoubles,
      div: wholeQuotientOf,
      asin: inRange("$1 >= -1 AND $1 <= 1", "asin($1)"),
      acos: inRange("$1 >= -1 AND $1 <= 1", "acos($1)"),
      random: { as: "rand" },
      coalesce: chosenOfReals,
      greatest: extreme,
      least: extreme,
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      // texts
      initcap: INITIAL_CAPITALS,
      substring,
      left: end("left"),
      right: end("right"),
      lpad: padded,
      rpad: padded,
      btrim: trimmed("both"),
      ltrim: trimmed("leading"),
      rtrim: trimmed("trailing"),
      overlay: overlaid,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: part,
      chr: character,
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
      last_day: sql("last_day($1)", { type: DATE, nulls: "strict" }),
      to_char: shownDate,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      now: { as: "current_timestamp" },
      statement_timestamp: { as: "current_timestamp" },
      transaction_timestamp: { as: "current_timestamp" },
      current_timestamp: { as: "current_timestamp" },
      localtimestamp: words("localtimestamp()"),
      localtime: UNSUPPORTED.times,
      make_time: UNSUPPORTED.times,
      gen_random_uuid: { as: "uuid" },
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: arrayLength,
      json_typeof: NO_JSON_PARTS,
      // arrays
      array_length: length,
      array_contains: containsElement,
      contains: (node) => containing(node, containsElement),
      array_position: position,
      array_append: withElement("last"),
      array_cat: joinedCall,
      array_prepend: withElement("first"),
      array_remove: withoutElement,
      array_replace: replacedElement(words("transform($1, _e -> CASE WHEN _e <=> $2 THEN $3 ELSE _e END)")),
      array_upper: length,
      array_lower: lower,
      array_to_string: arrayText,
      // aggregates
      any_value: anyValue,
      sum: summed,
      avg: averaged,
      string_agg: joinedTexts,
      array_agg: gathered,
      corr: correlated,
      ...sameRule("covar_pop covar_samp regr_slope regr_intercept regr_avgx regr_avgy regr_sxx regr_syy", ofDoubles),
      ...sameRule("regr_sxy regr_count", ofDoubles),
      regr_r2: correlated,
      percentile_cont: percentile,
      percentile_disc: percentile,
      mode: mostFrequent,
      grouping: groupedColumns,
      ...sameRule("row_number rank dense_rank percent_rank cume_dist ntile", ranked),
      lag: neighbour,
      lead: neighbour,
    },
    MADE_ROWS_IN_FROM,
  );
