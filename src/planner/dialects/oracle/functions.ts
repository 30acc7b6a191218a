/** Rules for the functions of the catalogue on Oracle 19c and later, by the manual: https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Functions.html */

import { unsupported } from "../../diagnostics.ts";
import { isAnyOf } from "../../lowering/arrays/array-members.ts";
import { refuseComparedArrays } from "../../lowering/arrays/document-arrays.ts";
import { extreme } from "../../lowering/extremes.ts";
import { sumOfReals } from "../../lowering/numbers/reals.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { compared, grouping, neighbourBy, orderedBy } from "../../lowering/queries/ordered-windows.ts";
import { functionRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { byCount, sql } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { nullIfBy } from "../../lowering/texts/text-equality.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { dateText, renderedBy } from "../../lowering/times/date-texts.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import { binary, call, comparison, inPlaceOf, renamed, text, values } from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BOOLEAN, isNumeric, NULL_TYPE, typeOrUnknown } from "../../types.ts";
import { WITHOUT_ARRAYS } from "../baselines.ts";
import { QUESTIONS } from "./arrays.ts";
import { textOf } from "./casts.ts";
import { coalesced, joinedParts, presentText } from "./empty-texts.ts";
import { JSON_READING } from "./json.ts";
import { ARRAYS, collected } from "./json-arrays.ts";
import { numberText } from "./number-texts.ts";
import { divided, remainder } from "./operators.ts";
import { regexpGroups, regexpLike, regexpReplaced, regexpSubstring } from "./regular-expressions.ts";
import {
  character,
  compare,
  concatenated,
  end,
  joinedTexts,
  joinedValues,
  length,
  ofText,
  padded,
  partOfText,
  positionIn,
  repeated,
  replaced,
  startsWith,
  translated,
  trimmed,
} from "./texts.ts";
import {
  currentDate,
  currentTimestamp,
  dateDifference,
  lastDay,
  literalTime,
  ofEpoch,
  stamp,
  truncated,
} from "./times.ts";

const operator =
  (said: typeof remainder | typeof divided, kinds: readonly string[]) =>
  (node: Call): Expression => {
    const [left, right] = values(node);
    const isWhole = [left, right].every((each) => each !== undefined && kinds.includes(typeOrUnknown(each).kind));
    const found =
      left && right && isWhole && said(binary(left, "%", right, inPlaceOf(node)) as Parameters<typeof remainder>[0]);
    if (found) return found;
    throw unsupported(`${node.name[0]?.name ?? ""} of fractions`, node.span);
  };

const STRICT = { nulls: "strict" } as const;

function nullIf(node: Call): Expression | undefined {
  refuseComparedArrays(node);
  return presentText(node) ?? nullIfBy(node, (left, right) => compare(comparison(left, "=", right, node)));
}

const extremeOf =
  (sign: ">=" | "<=") =>
  (node: Call): Expression => {
    refuseComparedArrays(node);
    return extreme(sign)(node);
  };

function comparedInGroup(node: Call): Call {
  refuseComparedArrays(node);
  return compared(node);
}

function anyOf(node: Call): Expression {
  const found = isAnyOf(node);
  return found.kind === "quantified" ? ARRAYS.quantified(found) : node;
}

const ofBooleans =
  (name: "min" | "max") =>
  (node: Call): Expression => ({ ...renamed(node, name), type: BOOLEAN });

/** Oracle sums reals as doubles, and no intervals. */
function total(node: Call): Expression | undefined {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (type?.kind === "interval") throw unsupported("a sum of intervals", node.span, "Add up seconds.");
  const isReal = type?.kind === "float" && type.bits === 32 && node.name[0]?.name === "sum";
  return isReal ? sumOfReals(node) : undefined;
}

function counted(node: Call): Call {
  if (node.distinct) refuseComparedArrays(node);
  if (node.distinct && node.arguments.length !== 1) throw unsupported("count(DISTINCT …) of several values", node.span);
  return node;
}

const plainAggregate = (node: Call): undefined => {
  if (node.distinct) throw unsupported("the aggregate with DISTINCT", node.span, "Use a subquery with DISTINCT.");
};

function percentile(node: Call): undefined {
  const [fraction] = values(node);
  const [item] = node.withinGroup;
  const kind = item && typeOrUnknown(item.expression).kind;
  if (
    fraction?.kind !== "number" ||
    node.over !== undefined ||
    !(kind === "integer" || kind === "decimal" || kind === "float")
  ) {
    throw unsupported("a percentile with these arguments", node.span, "Ask for a literal fraction of numbers.");
  }
}

const anyOrder = ({ span }: Call): SortItem => ({
  expression: { kind: "null", span, type: NULL_TYPE },
  direction: undefined,
  nulls: undefined,
  span,
});
const ordered = orderedBy(anyOrder);
const neighbour = neighbourBy((value) => value, anyOrder);

const dateByFormat = (node: Call): Expression =>
  node.arguments.length > 1 ? literalTime(readDate(node)) : ofEpoch(node);

function madeDate(node: Call): Expression {
  const [year, month, day] = values(node).map((each) => textOf(each, node));
  if (year === undefined || month === undefined || day === undefined) return node;
  const dash = text("-", node);
  return call(
    "to_date",
    [joinedParts([year, dash, month, dash, day], node), text("YYYY-MM-DD", node)],
    inPlaceOf(node),
  );
}

/** A format model of Oracle's own, in which FM holds for all that follows. */
const FORMATS = {
  tokens: Object.fromEntries([
    ..."YYYY YY MM Mon MON Month MONTH DD Dy DY Day DAY HH24 HH12 MI SS AM PM DDD IW IYYY Q"
      .split(" ")
      .map((token) => [token, token] as const),
    ...["Month", "Day", "MM", "DD", "HH24", "HH12", "MI", "SS"].map((token) => [`FM${token}`, `FM${token}FM`] as const),
    ["HH", "HH12"],
    ["US", "FF6"],
    ["MS", "FF3"],
  ]),
  literal: (written: string): string => (/^[-/,.;: ]*$/.test(written) ? written : `"${plainText(written)}"`),
  values: {},
  joined: joinedParts,
};

export const TIME_PATTERNS = renderedBy(FORMATS);

function plainText(written: string): string {
  if (written.includes('"')) throw new TypeError("a format without quotes");
  return written;
}

function shown(node: Call): Expression {
  const [value, format] = values(node);
  if (value !== undefined && format?.kind === "string" && isNumeric(typeOrUnknown(value))) {
    return numberText(value, format, node);
  }
  if (
    value === undefined ||
    format?.kind !== "string" ||
    format.value.replace(/"[^"]*"/g, "").includes('"') ||
    /\\/.test(format.value)
  ) {
    throw unsupported("to_char of this", node.span, "Format dates and timestamps, by a literal format.");
  }
  const kind = typeOrUnknown(value).kind;
  return dateText(
    {
      ...node,
      ...call("to_char", [kind === "date" || kind === "timestamp" ? stamp(value) : value, format], inPlaceOf(node)),
    },
    FORMATS,
  );
}

export const oracleFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs ceil floor sign sqrt exp ln power sin cos tan asin acos atan atan2 sinh cosh tanh round trunc",
      "position first_value last_value nth_value",
    ],
    {
      // numbers
      cbrt: UNSUPPORTED.cubeRoot,
      // The base is the first argument.
      log: byCount(sql("log(10, $1)", STRICT), sql("log($1, $2)", STRICT)),
      log10: sql("log(10, $1)", STRICT),
      mod: operator(remainder, ["integer", "decimal"]),
      div: operator(divided, ["integer"]),
      degrees: sql("$1 * 180 / acos(-1)", STRICT),
      radians: sql("$1 * acos(-1) / 180", STRICT),
      pi: sql("acos(-1)", { nulls: "never" }),
      cot: sql("1 / tan($1)", STRICT),
      random: UNSUPPORTED.random,
      greatest: extremeOf(">="),
      least: extremeOf("<="),
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      coalesce: coalesced,
      // texts
      upper: ofText,
      lower: ofText,
      initcap: ofText,
      reverse: { refused: "a text from its end" },
      repeat: repeated,
      length,
      octet_length: { as: "lengthb" },
      // Oracle's GREATEST and LEAST are NULL where an argument is.
      substring: (node) => substring(node, "passed"),
      left: end,
      right: end,
      lpad: padded,
      rpad: padded,
      btrim: trimmed,
      ltrim: trimmed,
      rtrim: trimmed,
      strpos: positionIn,
      replace: replaced,
      translate: translated,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: partOfText,
      starts_with: startsWith,
      chr: character,
      md5: UNSUPPORTED.md5,
      regexp_replace: regexpReplaced,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: UNSUPPORTED.patternCount,
      regexp_match: regexpGroups,
      // dates
      last_day: lastDay,
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      make_date: madeDate,
      to_char: shown,
      to_date: dateByFormat,
      to_timestamp: dateByFormat,
      now: currentTimestamp,
      statement_timestamp: currentTimestamp,
      transaction_timestamp: currentTimestamp,
      current_timestamp: currentTimestamp,
      current_date: currentDate,
      localtimestamp: currentTimestamp,
      gen_random_uuid: UNSUPPORTED.randomUuid,
      // JSON
      json_extract_path: JSON_READING.extractedPath,
      json_extract_path_text: JSON_READING.extractedText,
      json_array_length: JSON_READING.arrayLength,
      json_typeof: JSON_READING.typeName,
      // arrays
      string_to_array: (node) => node,
      array_agg: collected,
      array_contains: anyOf,
      array_position: QUESTIONS.positionOf,
      ...sameRule("cardinality array_length array_upper", QUESTIONS.cardinality),
      ...sameRule("array_append array_prepend array_cat", ARRAYS.joinedCall),
      array_remove: ARRAYS.withoutElement,
      array_replace: ARRAYS.replacedElement,
      array_to_string: QUESTIONS.joinedElements,
      // aggregates
      count: counted,
      sum: total,
      avg: total,
      min: comparedInGroup,
      max: comparedInGroup,
      // Oracle has ANY_VALUE from 21c on.
      any_value: (node) => renamed(comparedInGroup(node), "max"),
      bool_and: ofBooleans("min"),
      bool_or: ofBooleans("max"),
      string_agg: joinedTexts,
      stddev_samp: plainAggregate,
      stddev_pop: plainAggregate,
      var_samp: plainAggregate,
      var_pop: plainAggregate,
      corr: plainAggregate,
      covar_pop: plainAggregate,
      covar_samp: plainAggregate,
      regr_slope: plainAggregate,
      regr_intercept: plainAggregate,
      regr_r2: plainAggregate,
      regr_avgx: plainAggregate,
      regr_avgy: plainAggregate,
      regr_sxx: plainAggregate,
      regr_syy: plainAggregate,
      regr_sxy: plainAggregate,
      regr_count: plainAggregate,
      percentile_cont: percentile,
      percentile_disc: percentile,
      approx_count_distinct: (node) => counted({ ...renamed(node, "count"), distinct: true }),
      grouping,
      row_number: ordered,
      rank: ordered,
      dense_rank: ordered,
      percent_rank: ordered,
      cume_dist: ordered,
      ntile: ordered,
      lag: neighbour,
      lead: neighbour,
    },
    WITHOUT_ARRAYS,
  );
