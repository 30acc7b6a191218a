/** Rules for the functions of the catalogue on Doris, by the manual: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/numeric-functions/round */

import { unsupported } from "../../../diagnostics.ts";
import { isAnyOf } from "../../../lowering/arrays/array-members.ts";
import { rejectUnknownType } from "../../../lowering/comparable.ts";
import { chosenOfReals, neighbourOfReals } from "../../../lowering/numbers/reals.ts";
import { pairs } from "../../../lowering/numbers/regression.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { countedNulls } from "../../../lowering/present-values.ts";
import { quantifiedWithoutArrays } from "../../../lowering/queries/quantified.ts";
import { functionRules, type Rules } from "../../../lowering/rules.ts";
import { words } from "../../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { endOf, repeated, substringOf } from "../../../lowering/texts/computed-counts.ts";
import { ofTexts, sought } from "../../../lowering/texts/plain-arguments.ts";
import { ageOf } from "../../../lowering/times/ages.ts";
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
import { DATE, INTEGER, typeOrUnknown } from "../../../types.ts";
import { WITHOUT_ARRAYS } from "../../baselines.ts";
import { extreme as greatestOf } from "../aggregates.ts";
import { translated } from "../letters.ts";
import { padded, part } from "../texts.ts";
import { countOfElements, isMember, joinedElements, positionOf } from "./arrays.ts";
import { JSON_READING } from "./json.ts";
import { gathered, joinedCall, split, withoutElement } from "./made-arrays.ts";
import { averaged, ofDoubles, power, remainder, rounded, summed, wholeQuotient } from "./numbers.ts";
import { regexpLike, regexpReplace, regexpSubstring } from "./patterns.ts";
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

function remainderOf(node: Call): Expression | undefined {
  const [left, right] = values(node);
  return left === undefined || right === undefined ? undefined : remainder(left, right, node);
}

function powerOf(node: Call): Expression {
  const [base, exponent] = values(node);
  return base === undefined || exponent === undefined ? node : power(base, exponent, node);
}

const NO_RESULT = {
  refused: "a root, a logarithm or an angle, which Doris returns as NULL outside its domain",
  hint: "Compute it in the model's own SQL.",
};
const NO_PERCENTILE = { refused: "a percentile", hint: "Number the rows in a subquery." };
const NO_REGRESSION = { refused: "a regression or correlation" };
/** A strict cast: https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/conversion/date-conversion */
const MADE_DATE = words(
  "CAST(CONCAT(LPAD(CAST($1 AS STRING), 4, '0'), '-', CAST($2 AS STRING), '-', CAST($3 AS STRING)) AS DATE)",
  {
    type: DATE,
    nulls: "strict",
  },
);

/** Elements that are written out are compared one by one. */
function isMemberOf(node: Call): Expression {
  const any = isAnyOf(node);
  if (any.kind !== "quantified") return any;
  return isMember(any) ?? quantifiedWithoutArrays(any, { keyOf: (each) => each, compare: (each) => each });
}

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
      asinh: NO_RESULT,
      acosh: NO_RESULT,
      atanh: NO_RESULT,
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
      sinh: UNSUPPORTED.hyperbolic,
      tanh: UNSUPPORTED.hyperbolic,
      mod: remainderOf,
      div: whole,
      random: { as: "random" },
      coalesce: chosenOfReals,
      greatest: extreme,
      least: extreme,
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: told,
      // texts
      upper: ofTexts,
      lower: ofTexts,
      // Words of letters and digits: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/initcap
      initcap: ofTexts,
      reverse: ofTexts,
      btrim: trimmed("trim"),
      ltrim: trimmed("ltrim"),
      rtrim: trimmed("rtrim"),
      length,
      octet_length: bytesLength,
      left: endOf("LEFT", "CHAR_LENGTH"),
      right: endOf("RIGHT", "CHAR_LENGTH"),
      // GREATEST and LEAST of a NULL are NULL.
      substring: substringOf("passed"),
      repeat: repeated,
      lpad: padded,
      rpad: padded,
      position: located(0),
      strpos: located(1),
      replace: sought(1),
      translate: translated,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: part,
      starts_with: startsWith,
      chr: UNSUPPORTED.characterCodes,
      md5: UNSUPPORTED.md5,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: UNSUPPORTED.patterns,
      // dates
      date_trunc: truncated,
      date_diff: dateDifference,
      make_date: MADE_DATE,
      last_day: lastDay,
      age: ageOf,
      to_char: formatted,
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
      string_to_array: split,
      cardinality: countOfElements,
      array_length: countOfElements,
      array_upper: countOfElements,
      array_contains: isMemberOf,
      array_position: positionOf,
      array_to_string: joinedElements,
      array_append: joinedCall,
      array_cat: joinedCall,
      array_prepend: joinedCall,
      array_remove: withoutElement,
      array_agg: gathered,
      // aggregates
      count: counts,
      sum: summed,
      avg: averaged,
      min: extremeOfGroup,
      max: extremeOfGroup,
      any_value: (node) => extremeOfGroup(node) ?? renamed(node, "max"),
      string_agg: joinedTexts,
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
      percentile_cont: NO_PERCENTILE,
      percentile_disc: NO_PERCENTILE,
      approx_count_distinct: (node) =>
        counts({ ...node, distinct: true }) ?? { ...renamed(node, "count"), distinct: true },
      grouping: UNSUPPORTED.groupingWithoutSets,
      // windows
      lag: neighbour,
      lead: neighbour,
    },
    WITHOUT_ARRAYS,
  );
