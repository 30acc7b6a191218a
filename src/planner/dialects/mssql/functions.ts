/** Rules for the functions of the catalogue on SQL Server 2019 and later, by the manual: https://learn.microsoft.com/en-us/sql/t-sql/functions/functions */

import { unsupported } from "../../diagnostics.ts";
import { isAnyOf } from "../../lowering/arrays/array-members.ts";
import { refuseComparedArrays } from "../../lowering/arrays/document-arrays.ts";
import { extreme } from "../../lowering/extremes.ts";
import { pairs } from "../../lowering/numbers/regression.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { compared, grouping } from "../../lowering/queries/ordered-windows.ts";
import { functionRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import { refuseExtremeUuids } from "../../lowering/uuids.ts";
import { binary, call, cast, inPlaceOf, integer, renamed, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";
import { WITHOUT_ARRAYS } from "../baselines.ts";
import { counted, neighbour, ofBooleans, ofShortNumbers, ofWide, ordered, plainAggregate } from "./aggregates.ts";
import { QUESTIONS, replacedElement } from "./arrays.ts";
import { nullIf } from "./exact-text.ts";
import { regexpGroups, regexpSubstring } from "./first-matches.ts";
import { extractedPath, extractedText } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { regexpLike } from "./regular-expressions.ts";
import { regexpReplace } from "./replaced-matches.ts";
import {
  bytesOf,
  concatenated,
  end,
  joinedTexts,
  joinedValues,
  length,
  padded,
  partOfText,
  position,
  positionIn,
  repeated,
  replaced,
  reversed,
  startsWith,
  substring,
  translated,
  trimmed,
  upperOrLower,
} from "./texts.ts";
import { currentDate, currentTimestamp, dateDifference, lastDay, literalTime, ofEpoch, truncated } from "./times.ts";
import { dateText } from "./to-char.ts";

const chosen =
  (operator: "<=" | ">=") =>
  (node: Call): Expression => {
    refuseExtremeUuids(node);
    refuseComparedArrays(node);
    return extreme(operator)(node);
  };

function extremeOfGroup(node: Call): Call {
  refuseExtremeUuids(node);
  refuseComparedArrays(node);
  return compared(node);
}

/** Some functions return an integer for integers. */
const ofDouble =
  (name: string) =>
  (node: Call): Expression => {
    const [first, ...others] = values(node);
    if (first === undefined) return node;
    return call(name, [cast(first, "double precision", typed(DOUBLE, first)), ...others], inPlaceOf(node));
  };

function rounded(node: Call): Expression {
  const all = values(node);
  return all.length > 1 ? node : withArguments(node, [...all, integer(0, node)]);
}

const cutOff = (node: Call): Expression => {
  const [value, digits = integer(0, node)] = values(node);
  return value === undefined ? node : call("round", [value, digits, integer(1, node)], inPlaceOf(node));
};

function logarithm(node: Call): Expression {
  const [first, second] = values(node);
  if (first === undefined) return node;
  return call(
    second === undefined ? "log10" : "log",
    second === undefined ? [first] : [second, first],
    inPlaceOf(node),
  );
}

const operator =
  (sign: "%" | "/", kinds: readonly string[]) =>
  (node: Call): Expression => {
    const [left, right] = values(node);
    const isWhole = [left, right].every((each) => each !== undefined && kinds.includes(typeOrUnknown(each).kind));
    if (left !== undefined && right !== undefined && isWhole) return binary(left, sign, right, inPlaceOf(node));
    throw unsupported(`${node.name[0]?.name ?? ""} of fractions`, node.span);
  };

function dateByFormat(node: Call): Expression {
  if (node.arguments.length > 1) return literalTime(readDate(node));
  return ofEpoch(node);
}

function anyOf(node: Call): Expression {
  const found = isAnyOf(node);
  return found.kind === "quantified" ? ARRAYS.quantified(found) : node;
}

const NO_JSON = { refused: "functions of json" };
const NO_PERCENTILES = { refused: "a percentile of groups", hint: "Number the rows in a subquery." };

export const mssqlFunctions = (): Rules<Call> =>
  functionRules(
    ["abs floor sign sqrt exp pi sin cos tan cot asin acos atan log10 coalesce"],
    {
      // numbers
      ceil: { as: "ceiling" },
      round: rounded,
      trunc: cutOff,
      cbrt: UNSUPPORTED.cubeRoot,
      ln: { as: "log" },
      log: logarithm,
      power: ofDouble("power"),
      mod: operator("%", ["integer", "decimal"]),
      div: operator("/", ["integer"]),
      degrees: ofDouble("degrees"),
      radians: ofDouble("radians"),
      atan2: { as: "atn2" },
      sinh: UNSUPPORTED.hyperbolic,
      tanh: UNSUPPORTED.hyperbolic,
      random: { refused: "random()", hint: "RAND is one number for a whole statement." },
      greatest: chosen(">="),
      least: chosen("<="),
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: (node) => {
        refuseComparedArrays(node);
        return nullIf(node);
      },
      // texts
      upper: upperOrLower,
      lower: upperOrLower,
      reverse: reversed,
      repeat: repeated,
      initcap: { refused: "initcap" },
      length,
      octet_length: bytesOf,
      substring,
      left: end,
      right: end,
      lpad: padded,
      rpad: padded,
      btrim: trimmed,
      ltrim: trimmed,
      rtrim: trimmed,
      position,
      strpos: positionIn,
      replace: replaced,
      translate: translated,
      concat: concatenated,
      concat_ws: joinedValues,
      split_part: partOfText,
      starts_with: startsWith,
      chr: UNSUPPORTED.characterCodes,
      md5: UNSUPPORTED.md5,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_match: regexpGroups,
      regexp_count: UNSUPPORTED.patterns,
      // dates
      last_day: lastDay,
      date_trunc: truncated,
      age: ageOf,
      date_diff: dateDifference,
      make_date: { as: "datefromparts" },
      to_char: dateText,
      to_date: dateByFormat,
      to_timestamp: dateByFormat,
      now: currentTimestamp,
      statement_timestamp: currentTimestamp,
      transaction_timestamp: currentTimestamp,
      current_timestamp: currentTimestamp,
      current_date: currentDate,
      localtimestamp: currentTimestamp,
      gen_random_uuid: { as: "newid" },
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: NO_JSON,
      json_typeof: NO_JSON,
      // arrays
      contains: UNSUPPORTED.contains,
      string_to_array: (node) => node,
      array_agg: (node) => node,
      array_contains: anyOf,
      array_position: QUESTIONS.positionOf,
      ...sameRule("cardinality array_length array_upper", QUESTIONS.cardinality),
      ...sameRule("array_append array_prepend array_cat", ARRAYS.joinedCall),
      array_remove: ARRAYS.withoutElement,
      array_replace: replacedElement,
      array_to_string: QUESTIONS.joinedElements,
      // aggregates
      count: counted,
      sum: ofWide("sum"),
      avg: ofWide("avg"),
      min: extremeOfGroup,
      max: extremeOfGroup,
      any_value: (node) => renamed(compared(node), "max"),
      bool_and: ofBooleans("min"),
      bool_or: ofBooleans("max"),
      string_agg: joinedTexts,
      stddev_samp: plainAggregate("stdev"),
      stddev_pop: plainAggregate("stdevp"),
      var_samp: plainAggregate("var"),
      var_pop: plainAggregate("varp"),
      corr: ofShortNumbers,
      covar_pop: ofShortNumbers,
      covar_samp: ofShortNumbers,
      regr_slope: ofShortNumbers,
      regr_avgx: ofShortNumbers,
      regr_avgy: ofShortNumbers,
      regr_sxx: ofShortNumbers,
      regr_syy: ofShortNumbers,
      regr_sxy: ofShortNumbers,
      regr_count: pairs("count_big"),
      percentile_cont: NO_PERCENTILES,
      percentile_disc: NO_PERCENTILES,
      approx_count_distinct: (node) => counted({ ...node, distinct: true }),
      grouping,
      row_number: ordered,
      rank: ordered,
      dense_rank: ordered,
      percent_rank: ordered,
      cume_dist: ordered,
      ntile: ordered,
      lag: neighbour,
      lead: neighbour,
      first_value: ordered,
      last_value: ordered,
      nth_value: { refused: "nth_value", hint: "Number the rows in a subquery." },
    },
    WITHOUT_ARRAYS,
  );
