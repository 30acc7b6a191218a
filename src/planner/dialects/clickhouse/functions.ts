/** ClickHouse's rule for each function of the catalogue. Seen on ClickHouse 26.7; untested functions are refused. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { containing } from "../../lowering/arrays/array-members.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { functionRules, type Rules, ruleByName, sameRule } from "../../lowering/rules.ts";
import { rule } from "../../lowering/templates/parameters.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { ageOf } from "../../lowering/times/ages.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import {
  binary,
  call,
  cases,
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
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, INTEGER, type SqlType, typeOrUnknown } from "../../types.ts";
import { MADE_ROWS_IN_FROM } from "../baselines.ts";
import { byKey, collectedArray, joinedTexts, mostFrequent, ofPairs, percentile, spread } from "./aggregates.ts";
import {
  alternatives,
  length as arrayLengthOf,
  text as arrayText,
  contains,
  joinedCall,
  position,
  replacedElement,
  split,
  withoutElement,
} from "./arrays.ts";
import { INITCAP, LOWER, UPPER } from "./capitals.ts";
import { isDifference } from "./differences.ts";
import { extractedPath, extractedText } from "./json.ts";
import { JSON_WORDS } from "./json-spellings.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import {
  arithmetic,
  asDecimal,
  average,
  castToCommonType,
  checked,
  counted,
  isDecimal,
  isWhole,
  roundedToScale,
  scaleOf,
  sum,
  wholeOf,
  wide,
} from "./numbers.ts";
import { orRaise } from "./raising.ts";
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
  codePoint,
  concatenated,
  hexadecimal,
  inOrder,
  isAscii,
  isText,
  joinedValues,
  length,
  ofTexts,
  overlaid,
  padded,
  replaced,
  trimmed,
} from "./texts.ts";
import { difference, ofEpoch, toTimestamp, truncated } from "./times.ts";
import { formatted } from "./to-char.ts";

const asDouble = (value: Expression): Expression => cast(value, "double precision", typed(DOUBLE, value));

/** Casts the arguments to double. */
const ofDouble =
  (name: string) =>
  (node: Call): Expression => {
    return call(name, values(node).map(asDouble), inPlaceOf(node));
  };

const COTANGENT = words("(1 / tan($1))");

const cotangent = (node: Call): Expression => spelled(COTANGENT, values(node).map(asDouble), node);

/** Outside its domain the function returns NaN or infinity, where PostgreSQL raises. */
const within =
  (name: string, bounds: keyof typeof BOUNDS) =>
  (node: Call): Expression => {
    const [first] = values(node);
    if (first === undefined) return node;
    const operand = asDouble(first);
    const value = call(name, [operand], typed(DOUBLE, node));
    const conditions = BOUNDS[bounds].map(([operator, bound]) =>
      comparison(operand, operator, integer(bound, node), node),
    );
    const sure = orRaise(logical("and", conditions, node), value, "A number is out of range");
    return asDecimal(sure, node);
  };

const BOUNDS = {
  "from 0 on": [[">=", 0]],
  "above 0": [[">", 0]],
  "from 1 on": [[">=", 1]],
  "between -1 and 1": [
    [">=", -1],
    ["<=", 1],
  ],
} as const;

function translated(node: Call): Expression {
  const [value, from, to] = values(node);
  if (value === undefined || !isText(value) || from?.kind !== "string" || to?.kind !== "string") return refused(node);
  // The first mapping of a repeated character counts.
  const letters = [...from.value].map((letter, at) => [letter, [...to.value][at] ?? ""] as const);
  const pairs = [...new Map(letters.toReversed())].toSorted(([, a], [, b]) => Number(a === "") - Number(b === ""));
  if (pairs.length === 0) return value;
  const join = (at: 0 | 1): Expression => text(pairs.map((pair) => pair[at]).join(""), node);
  return call("translateUTF8", [value, join(0), join(1)], inPlaceOf(node));
}

/** ClickHouse divides for every row, those with zeros and NULLs, whose number is 0, too: they get a 1 that nobody reads. */
const ONE_FOR_NONE = (place: string): string => `if(ifNull(${place}, 0) = 0, 1, ${place})`;
const SIDES = `${ONE_FOR_NONE("$1")}, ${ONE_FOR_NONE("$2")}`;
const NONE = "isNull($1) OR isNull($2), NULL, $1 = 0 OR $2 = 0";
const GREATEST_DIVISOR = words(`multiIf(${NONE}, abs(plus($1, $2)), toInt128(gcd(${SIDES})))`);
const LEAST_MULTIPLE = words(`multiIf(${NONE}, 0, toInt128(lcm(${SIDES})))`);

function divisor(node: Call): Expression {
  const parts = values(node);
  if (!parts.every(isWhole)) return refused(node);
  return checked(spelled(functionName(node) === "gcd" ? GREATEST_DIVISOR : LEAST_MULTIPLE, parts, node), node);
}

function factorial(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || !isWhole(value)) return refused(node);
  const there = comparison(value, ">=", integer(0, node), node);
  return orRaise(there, call("factorial", [value], inPlaceOf(node)), "The factorial of a negative number");
}

function tile(node: Call): Expression {
  const [count] = values(node);
  if (count?.kind !== "number" || (node.over?.orderBy.length ?? 0) === 0) return refused(node);
  return counted(node, node);
}

const ofWholes =
  (name: string) =>
  (node: Call): Expression => {
    if (!values(node).every(isWhole) || node.over !== undefined) return refused(node);
    return renamed(node, name);
  };

const ofText =
  (name: string) =>
  (node: Call): Expression => {
    if (values(node).some((each) => !["text", "integer"].includes(typeOrUnknown(each).kind))) {
      throw unsupported(`${functionName(node)} of this`, node.span);
    }
    return renamed(node, name);
  };

/** ASCII characters have one capital each on ClickHouse, too. */
const ofCase =
  (name: "upper" | "lower") =>
  (node: Call): Expression => {
    const [value] = values(node);
    const plain = ofText(name)(node);
    if (value !== undefined && isAscii(value)) return plain;
    return spelled(name === "upper" ? UPPER : LOWER, values(node), node);
  };

/** Rounds to the requested number of digits, or fewer. */
function rounded(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined || !(isDecimal(value) || isWhole(value) || typeOrUnknown(value).kind === "float")) {
    throw unsupported("a rounding of this", node.span);
  }
  const count = digits === undefined ? 0 : countOf(digits);
  if (count === undefined) throw unsupported("a computed number of digits", (digits ?? node).span);
  const parts = [value, integer(count, node)];
  if (!isDecimal(value)) {
    if (count !== 0 && !isWhole(value)) throw unsupported("a rounding of doubles to digits", node.span);
    return isWhole(value) && count > 0 ? refused(node) : withArguments(node, parts);
  }
  if (scaleOf(value) === undefined) throw unsupported("a rounding of digits that are not known", node.span);
  return roundedToScale(withArguments(node, parts), Math.max(count, 0), node);
}

const ofNumber = (node: Call): Expression => {
  const [value, ...others] = values(node);
  if (value === undefined || others.length > 0)
    throw unsupported(`${functionName(node)} with these arguments`, node.span);
  return isDecimal(value) && scaleOf(value) !== undefined ? roundedToScale(node, 0, node) : node;
};

function absolute(node: Call): Expression {
  const [value] = values(node);
  // The smallest integer has no negative in 64 bits; literals are unchanged.
  if (value === undefined || !isWhole(value) || value.kind === "number" || value.kind === "unary") return node;
  return checked(withArguments(node, [wide(value)]), node);
}

function remainder(node: Call): Expression {
  const [left, right] = values(node);
  if (left === undefined || right === undefined) return node;
  return arithmetic(binary(left, "%", right, inPlaceOf(node))) ?? refused(node);
}

function countOfRows(node: Call): Expression {
  if (node.distinct && node.arguments.length !== 1) throw unsupported("count(DISTINCT …) of several values", node.span);
  const [value] = values(node);
  if (value?.kind === "row") {
    if (!node.distinct) throw unsupported("count of a row", node.span);
    const parts = value.elements.map((each) => (isComparable(each) || isUuid(each) ? each : refused(node)));
    return counted(withArguments(node, [call("tuple", parts, inPlaceOf(value))]), node);
  }
  return counted(node, node);
}

/** For types with the same order on ClickHouse as in PostgreSQL. */
function extreme(node: Call): Expression {
  for (const value of values(node)) {
    const { kind } = typeOrUnknown(value);
    if (!["integer", "decimal", "float", "text", "date", "timestamp", "time"].includes(kind) && !isDifference(value)) {
      throw unsupported(`${functionName(node)} of ${kind}`, node.span);
    }
  }
  return withArguments(node, values(node).map(inOrder));
}

const place = (node: Call): Expression => counted(node, node);

/** Beyond the rows ClickHouse returns the type's default, unless the value may be NULL. */
function neighbour(node: Call): Expression {
  const [value, distance, otherwise] = values(node);
  if (value === undefined) return node;
  if (distance !== undefined && distance.kind !== "number") {
    throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
  }
  const of = (each: Expression, type: SqlType): Call => {
    const parts = [call("tonullable", [each], typed(type, each)), ...(distance === undefined ? [] : [distance])];
    return { ...withArguments(node, parts), type };
  };
  const found = of(value, typeOrUnknown(value));
  if (otherwise === undefined) return found;
  const [there = found, absent = otherwise] = alternatives([found, otherwise], node);
  return cases([{ when: isNull(of(integer(1, node), INTEGER), false), then: absent }], there, inPlaceOf(node));
}

/** By default ClickHouse skips NULLs. */
const nth = (node: Call): Call => {
  const [value, ...others] = values(node);
  if (value === undefined) return node;
  return { ...withArguments(node, [call("tonullable", [value], inPlaceOf(value)), ...others]), nulls: "respect" };
};

const NO_FUNCTION = { refused: "the called function" };
const NOW = words("now64(6, 'UTC')");
const LAST_DAY = words("toLastDayOfMonth(toDate32($1))");
const now = (node: Call): Expression => spelled(NOW, [], node);

export const clickHouseFunctions = (): Rules<Call> =>
  functionRules(
    ["percent_rank cume_dist"],
    {
      ...sameRule("row_number rank dense_rank", place),
      coalesce: (node) => withArguments(node, alternatives(values(node), node)),
      // numbers
      abs: absolute,
      sign: ofNumber,
      exp: ofDouble("exp"),
      ceil: ofNumber,
      floor: ofNumber,
      round: rounded,
      trunc: rounded,
      sqrt: within("sqrt", "from 0 on"),
      cbrt: ofDouble("cbrt"),
      ln: within("log", "above 0"),
      log: (node) => (node.arguments.length === 1 ? within("log10", "above 0")(node) : refused(node)),
      log10: within("log10", "above 0"),
      power: ofDouble("power"),
      mod: remainder,
      div: (node) => {
        const [left, right] = values(node);
        return left && right && isWhole(left) && isWhole(right) ? wholeOf("/", left, right, node) : refused(node);
      },
      gcd: divisor,
      lcm: divisor,
      pi: (node) => call("pi", [], inPlaceOf(node)),
      ...ruleByName("degrees radians sin cos tan", ofDouble),
      cot: cotangent,
      asin: within("asin", "between -1 and 1"),
      acos: within("acos", "between -1 and 1"),
      ...ruleByName("atan atan2 sinh cosh tanh asinh", ofDouble),
      acosh: within("acosh", "from 1 on"),
      atanh: within("atanh", "between -1 and 1"),
      random: NO_FUNCTION,
      greatest: furthest,
      least: furthest,
      factorial: factorial,
      num_nulls: (node) => countedNulls(node, true),
      num_nonnulls: (node) => countedNulls(node, false),
      nullif: nullIf,
      // texts
      upper: ofCase("upper"),
      lower: ofCase("lower"),
      reverse: ofText("reverse"),
      repeat: rule("text | null, integer", "native"),
      initcap: ofTexts(INITCAP),
      length,
      bit_length: rule("text", words("toInt64(length($1) * 8)")),
      octet_length: rule("text", words("toInt64(length($1))")),
      substring,
      // A negative length has PostgreSQL's meaning on ClickHouse too: all characters but that many, or no repetition.
      left: rule("text | null, integer", "native"),
      right: rule("text | null, integer", "native"),
      lpad: padded("leftpad"),
      rpad: padded("rightpad"),
      btrim: trimmed("trimBoth"),
      ltrim: trimmed("trimLeft"),
      rtrim: trimmed("trimRight"),
      position: ofText("position"),
      strpos: (node) => ofText("position")(withArguments(node, [...values(node)].reverse())),
      replace: replaced,
      translate: translated,
      overlay: overlaid,
      concat: concatenated,
      concat_ws: joinedValues,
      // A negative index counts from the end; the result is empty if the part does not exist.
      split_part: rule(
        "text | null, literal text <> '', literal integer <> 0",
        words("if(isNull($1), NULL, arrayElement(splitByString($2, $1), $3))"),
      ),
      starts_with: ofText("startswith"),
      ascii: codePoint,
      chr: character,
      md5: ofTexts(words("lower(hex(MD5($1)))")),
      to_hex: hexadecimal,
      encode: NO_FUNCTION,
      decode: NO_FUNCTION,
      regexp_replace: regexpReplace,
      regexp_like: regexpLike,
      regexp_substr: regexpSubstring,
      regexp_count: regexpCount,
      regexp_match: regexpGroups,
      regexp_split_to_array: regexpParts,
      string_to_array: split,
      // dates
      last_day: (node) => spelled(LAST_DAY, values(node).map(toTimestamp), node),
      date_trunc: truncated,
      age: ageOf,
      date_diff: difference,
      make_date: rule("integer, integer, integer", words("makeDate32($1, $2, $3)")),
      isfinite: words("if(isNull($1), NULL, true)", { nulls: "unknown" }),
      to_char: formatted,
      to_date: readDate,
      to_timestamp: (node) => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node)),
      now,
      ...sameRule("statement_timestamp transaction_timestamp current_timestamp", now),
      current_date: (node) => cast(toTimestamp(now(node)), "date", inPlaceOf(node)),
      localtimestamp: (node) => toTimestamp(now(node)),
      localtime: UNSUPPORTED.currentTime,
      gen_random_uuid: NO_FUNCTION,
      // JSON
      json_extract_path: extractedPath,
      json_extract_path_text: extractedText,
      json_array_length: JSON_WORDS.length,
      json_typeof: JSON_WORDS.type,
      // arrays
      cardinality: arrayLengthOf,
      array_length: arrayLengthOf,
      array_contains: contains,
      contains: (node) => containing(node, contains),
      array_position: position,
      array_upper: arrayLengthOf,
      array_lower: UNSUPPORTED.arrayFunctions,
      array_to_string: arrayText,
      ...sameRule("array_append array_prepend array_cat", joinedCall),
      array_remove: withoutElement,
      array_replace: replacedElement,
      // rows
      // aggregates
      count: countOfRows,
      sum,
      avg: average,
      ...sameRule("min max any_value", extreme),
      bool_and: { as: "min" },
      bool_or: { as: "max" },
      string_agg: joinedTexts,
      array_agg: collectedArray,
      stddev_samp: spread("stddevSampStable", 2),
      stddev_pop: spread("stddevPopStable", 1),
      var_samp: spread("varSampStable", 2),
      var_pop: spread("varPopStable", 1),
      ...sameRule("corr covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_avgx regr_avgy", ofPairs),
      ...sameRule("regr_sxx regr_syy regr_sxy", ofPairs),
      regr_count: (node) => counted(ofPairs(node), node),
      bit_and: ofWholes("groupBitAnd"),
      bit_or: ofWholes("groupBitOr"),
      bit_xor: ofWholes("groupBitXor"),
      max_by: byKey("argMax"),
      min_by: byKey("argMin"),
      percentile_cont: percentile,
      percentile_disc: percentile,
      mode: mostFrequent,
      approx_count_distinct: (node) => countOfRows({ ...renamed(node, "count"), distinct: true }),
      grouping: UNSUPPORTED.groupingWithoutSets,
      ntile: tile,
      lag: neighbour,
      lead: neighbour,
      first_value: nth,
      last_value: nth,
      nth_value: (node) =>
        withArguments(
          node,
          nth(node).arguments.map(({ value }) => value),
        ),
    },
    MADE_ROWS_IN_FROM,
  );

/** The greatest or least of the values that are not NULL. */
function furthest(node: Call): Expression {
  for (const value of values(node)) if (!isComparable(value)) refused(node);
  const all = castToCommonType(values(node), node).map(inOrder);
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const filled = all.map((value, index) =>
    isNullable(value)
      ? call("coalesce", [value, ...all.slice(index + 1), ...all.slice(0, index)], inPlaceOf(node))
      : value,
  );
  return withArguments(node, filled);
}

/** Written out only if the values are compared as another type. */
function nullIf(node: Call): Expression {
  const [value, other] = values(node);
  if (value === undefined || other === undefined || ![value, other].every(isComparable)) return refused(node);
  const [left = value, right = other] = MIXED_NUMBERS.together([value, other]);
  if (left === value && right === other) return node;
  const none: Expression = { kind: "null", span: node.span, type: typeOrUnknown(node) };
  return cases([{ when: comparison(left, "=", right, node), then: none }], value, inPlaceOf(node));
}

const isComparable = (node: Expression): boolean =>
  ["text", "integer", "decimal", "float", "date", "timestamp", "boolean", "null", "time"].includes(
    typeOrUnknown(node).kind,
  );

const isUuid = (node: Expression): boolean => typeOrUnknown(node).kind === "uuid";

function refused(node: Call): never {
  throw unsupported(`${functionName(node)} with these arguments`, node.span);
}
