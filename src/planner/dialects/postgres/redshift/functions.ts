/** Rules for the functions of the catalogue on Redshift, by the manual: https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html */

import { unsupported } from "../../../diagnostics.ts";
import { isAnyOf } from "../../../lowering/arrays/array-members.ts";
import { pairs, regressionBy } from "../../../lowering/numbers/regression.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { countedNulls } from "../../../lowering/present-values.ts";
import { functionRules, type Rules } from "../../../lowering/rules.ts";
import { words } from "../../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { endOf, repeated, substringOf } from "../../../lowering/texts/computed-counts.ts";
import { ofTexts, sought } from "../../../lowering/texts/plain-arguments.ts";
import { call, cast, inPlaceOf, integer, isNull, renamed, values, when, withArguments } from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { DATE, INTEGER, typeOrUnknown } from "../../../types.ts";
import { WITHOUT_ARRAYS } from "../../baselines.ts";
import { countOfElements, isMember, joinedCall, positionOf, split } from "./arrays.ts";
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
import { gathered } from "./gathered.ts";
import { JSON_READING } from "./json.ts";
import { regexpCount, regexpGroups, regexpLike, regexpReplace, regexpSubstring } from "./patterns.ts";
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

function mod(node: Call): Expression | undefined {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? undefined : remainder(left, right, node);
}

/** Base 10; another base is a second argument. */
function logarithm(node: Call): Expression {
  if (node.arguments.length === 1) return renamed(ofDoubles(node), "log");
  throw unsupported("a logarithm of another base", node.span, "Write ln(x) / ln(b).");
}

function isMemberOf(node: Call): Expression {
  const any = isAnyOf(node);
  return any.kind === "quantified" ? (isMember(any) ?? TEXTS.quantified(any)) : any;
}

/** Strict: https://docs.aws.amazon.com/redshift/latest/dg/r_TO_DATE_function.html */
const MADE_DATE = words(
  "TO_DATE(LPAD(CAST($1 AS VARCHAR), 4, '0') || '-' || CAST($2 AS VARCHAR) || '-' || CAST($3 AS VARCHAR), 'YYYY-MM-DD', TRUE)",
  { type: DATE, nulls: "strict" },
);

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
      sinh: UNSUPPORTED.hyperbolic,
      tanh: UNSUPPORTED.hyperbolic,
      mod,
      div: whole,
      random: UNSUPPORTED.random,
      greatest: compared("boolean", "text", "json", "array", "interval", "opaque"),
      least: compared("boolean", "text", "json", "array", "interval", "opaque"),
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
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
      left: endOf("LEFT", "LEN"),
      right: endOf("RIGHT", "LEN"),
      // https://docs.aws.amazon.com/redshift/latest/dg/r_GREATEST_LEAST.html: NULLs are skipped.
      substring: substringOf("skipped"),
      repeat: repeated,
      lpad: repeated,
      rpad: repeated,
      position: sought(0),
      strpos: sought(1),
      replace: sought(1),
      translate: sought(1),
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: partOfText,
      starts_with: startsWith,
      chr: UNSUPPORTED.characterCodes,
      md5: ofTexts,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: regexpCount,
      regexp_match: regexpGroups,
      // dates
      date_trunc: truncated,
      date_diff: dateDifference,
      make_date: MADE_DATE,
      last_day: lastDay,
      age,
      to_char: dateText,
      to_date: dateByFormat,
      to_timestamp: dateByFormat,
      now: currentTimestamp,
      statement_timestamp: currentTimestamp,
      transaction_timestamp: currentTimestamp,
      current_timestamp: currentTimestamp,
      current_date: currentDate,
      localtimestamp: currentTimestamp,
      gen_random_uuid: UNKNOWN,
      // JSON
      json_extract_path: JSON_READING.extractedPath,
      json_extract_path_text: JSON_READING.extractedText,
      json_array_length: JSON_READING.arrayLength,
      json_typeof: JSON_READING.typeName,
      // arrays
      contains: UNSUPPORTED.contains,
      string_to_array: split,
      cardinality: countOfElements,
      array_length: countOfElements,
      array_upper: countOfElements,
      array_contains: isMemberOf,
      array_position: positionOf,
      array_append: joinedCall,
      array_cat: joinedCall,
      array_prepend: joinedCall,
      array_agg: gathered,
      // aggregates
      count: counts,
      sum: summed,
      avg: averaged,
      min: extreme,
      max: extreme,
      any_value: (node) => extreme(node) ?? renamed(node, "max"),
      string_agg: joinedTexts,
      stddev_samp: ofNumbers("stddev_samp"),
      stddev_pop: ofNumbers("stddev_pop"),
      var_samp: ofNumbers("var_samp"),
      var_pop: ofNumbers("var_pop"),
      corr: ofShortNumbers,
      covar_pop: ofShortNumbers,
      covar_samp: ofShortNumbers,
      regr_slope: ofShortNumbers,
      regr_avgx: ofShortNumbers,
      regr_avgy: ofShortNumbers,
      regr_sxx: ofShortNumbers,
      regr_syy: ofShortNumbers,
      regr_sxy: ofShortNumbers,
      regr_count: pairs("count"),
      percentile_cont: percentile,
      percentile_disc: { refused: "percentile_disc", hint: "Use percentile_cont, or number the rows in a subquery." },
      approx_count_distinct: (node) =>
        counts({ ...node, distinct: true }) ?? { ...renamed(node, "count"), distinct: true },
      // windows
      lag: neighbour,
      lead: neighbour,
    },
    WITHOUT_ARRAYS,
  );
