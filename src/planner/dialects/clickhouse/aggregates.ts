/** Aggregates that ClickHouse lacks, or computes with other results. Seen on ClickHouse 26.7. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { pairsBy } from "../../lowering/numbers/pairs-of-doubles.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import {
  all,
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  renamed,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DOUBLE, isDocumentArray, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { asDecimal } from "./numbers.ts";
import { textOf } from "./texts.ts";

const asDouble = (value: Expression): Expression => cast(value, "double precision", typed(DOUBLE, value));

/** The sort key of an item: whether the value is NULL, and the value; for a key in the opposite direction, its negative. */
function keyOf({ expression, direction, nulls }: SortItem, backwards: boolean): readonly Expression[] {
  const isLast = (nulls !== "first") !== backwards;
  const flag = isNullable(expression) ? [isNull(expression, !isLast)] : [];
  if ((direction === "desc") === backwards) return [...flag, expression];
  const { kind } = typeOrUnknown(expression);
  const number: Readonly<Record<string, string>> = {
    integer: "toInt128",
    float: "toFloat64",
    date: "toInt32",
    timestamp: "toUnixTimestamp64Micro",
  };
  const name = number[kind];
  if (name === undefined && kind !== "decimal") {
    throw unsupported("an order of texts against that of other keys", expression.span, "Sort in one direction.");
  }
  const value = name === undefined ? expression : call(name, [expression], typed(BIGINT, expression));
  return [...flag, call("negate", [value], typed(BIGINT, expression))];
}

/** Sorts rows by their first members and returns the member at a position. */
const IN_ORDER = words("arrayMap(_t -> tupleElement(_t, $2), arraySort($1))");
const IN_REVERSE_ORDER = words("arrayMap(_t -> tupleElement(_t, $2), arrayReverseSort($1))");
const AT_FRACTION = words(
  "arrayElement(arrayMap(_a -> arrayElementOrNull(_a, greatest(1, toInt64(ceil(toFloat64($2) * length(_a))))), [$1]), 1)",
);
const MOST_FREQUENT = words(
  "arrayElement(arrayMap(_a -> arrayElementOrNull(arraySort(_e -> -countEqual(_a, _e), arrayDistinct(_a)), 1), [$1]), 1)",
);

/** The values that are not NULL, in order. */
function collected(node: Call, value: Expression, sorts: readonly SortItem[]): Expression {
  if (node.over !== undefined) {
    throw unsupported("values that are collected over a window", node.span, "Group the rows in a subquery.");
  }
  const type: SqlType = { kind: "array", element: typeOrUnknown(value) };
  const backwards = sorts.length > 0 && sorts.every(({ direction }) => direction === "desc");
  const keys = sorts.flatMap((item) => keyOf(item, backwards));
  const filters = [...(node.filter ? [node.filter] : []), ...(isNullable(value) ? [isNull(value, true)] : [])];
  const group = (of: Expression): Call => ({
    ...call("groupArray", [of], typed(type, node)),
    distinct: node.distinct,
    filter: all(filters, node),
  });
  if (keys.length === 0) return group(value);
  const rows = group(call("tuple", [...keys, value], typed(type, node)));
  const sorted = backwards ? IN_REVERSE_ORDER : IN_ORDER;
  return spelled(sorted, [rows, integer(keys.length + 1, node)], typed(type, node));
}

export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined) return node;
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  const list = collected(node, textOf(value, value), node.orderBy);
  const isThere = call("notEmpty", [list], typed(BOOLEAN, node));
  return when(isThere, call("arrayStringConcat", [list, separator], typed(TEXT, node)), undefined, inPlaceOf(node));
}

/** For no values ClickHouse's result would be an empty array, because an array cannot be NULL. */
export function collectedArray(node: Call): Expression {
  const [value] = values(node);
  if (value !== undefined && isDocumentArray(typeOrUnknown(value))) throw unsupported("an array of arrays", node.span);
  return value === undefined
    ? node
    : { ...collected(node, value, node.orderBy), ...(node.type && { type: node.type }) };
}

export const isCollected = (node: Expression): boolean =>
  (node.kind === "call" && node.name[0]?.name === "groupArray") ||
  isSpelled(node, IN_ORDER) ||
  isSpelled(node, IN_REVERSE_ORDER);

export function percentile(node: Call): Expression {
  const isContinuous = node.name[0]?.name === "percentile_cont";
  const [fraction] = values(node);
  const [sort] = node.withinGroup;
  const isNumber = sort && ["integer", "decimal", "float"].includes(typeOrUnknown(sort.expression).kind);
  const share = fraction && digitsOf(fraction);
  if (share === undefined || Number(share) > 1 || !(isNumber || !isContinuous) || !sort || node.over || node.distinct) {
    throw unsupported(
      "a percentile with these arguments",
      node.span,
      "Ask for a literal fraction from 0 to 1, in a grouped query.",
    );
  }
  const at = (digits: string): Expression => ({ kind: "number", text: digits, span: node.span, type: DOUBLE });
  if (!isContinuous) {
    const list = collected(node, sort.expression, [{ ...sort, nulls: undefined }]);
    return spelled(AT_FRACTION, [list, at(share)], node);
  }
  const own = at(sort.direction === "desc" ? String(1 - Number(share)) : share);
  return { ...call("quantileexactinclusive", [own, asDouble(sort.expression)], inPlaceOf(node)), filter: node.filter };
}

/** The digits of a decimal literal, which is a cast of a text on ClickHouse. */
function digitsOf(value: Expression): string | undefined {
  const { text } =
    value.kind === "cast" && value.operand.kind === "string"
      ? { text: value.operand.value }
      : value.kind === "number"
        ? value
        : { text: "" };
  return /^\d+(\.\d*)?$/.test(text) ? text : undefined;
}

/** The most frequent value; of several, the first in their order. */
export function mostFrequent(node: Call): Expression {
  const [sort] = node.withinGroup;
  if (sort === undefined || node.over !== undefined) throw unsupported("mode with these arguments", node.span);
  const list = collected(node, sort.expression, [{ ...sort, nulls: undefined }]);
  return spelled(MOST_FREQUENT, [list], node);
}

/** Rows with a NULL key are ignored; NULLs among the values are not. */
export const byKey =
  (name: "argMax" | "argMin") =>
  (node: Call): Expression => {
    const [value, key] = values(node);
    if (value === undefined || key === undefined || node.over !== undefined) {
      throw unsupported("the aggregate over a window", node.span, "Use first_value(x) OVER (… ORDER BY y).");
    }
    const filters = [...(node.filter ? [node.filter] : []), ...(isNullable(key) ? [isNull(key, true)] : [])];
    const one = call("tuple", [call("toNullable", [value], inPlaceOf(value))], inPlaceOf(value));
    const found: Call = { ...call(name, [one, key], inPlaceOf(node)), filter: all(filters, node) };
    return call("tupleElement", [found, integer(1, node)], inPlaceOf(node));
  };

/** ClickHouse returns NaN for a single value; the functions without "Stable" in their name lose digits. */
export const spread =
  (name: string, least: number) =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined || node.distinct) throw unsupported(`${name} with these arguments`, node.span);
    const found: Call = {
      ...renamed(node, name),
      arguments: [{ name: undefined, value: asDouble(value) }],
      type: DOUBLE,
    };
    const count: Call = { ...renamed(node, "count"), type: BIGINT };
    const some = when(comparison(count, ">=", integer(least, node), node), found, undefined, typed(DOUBLE, node));
    return asDecimal(some, node);
  };

const unlessFlat = (text: string): string => `CASE WHEN {var x} <> 0 THEN ${text} END`;
const fromRows = (count: number, text: string): string => `CASE WHEN {n} >= ${count} THEN ${text} END`;
const SLOPE = unlessFlat("{covar} / {var x}");

export const ofPairs = pairsBy(
  {
    regr_count: "{n}",
    regr_avgx: "{avg x}",
    regr_avgy: "{avg y}",
    regr_sxx: fromRows(1, "{n} * {var x}"),
    regr_syy: fromRows(1, "{n} * {var y}"),
    regr_sxy: fromRows(1, "{n} * {covar}"),
    covar_pop: fromRows(1, "{covar}"),
    covar_samp: fromRows(2, "{sample covar}"),
    regr_slope: SLOPE,
    regr_intercept: `{avg y} - ${SLOPE} * {avg x}`,
    corr: "CASE WHEN {var x} * {var y} <> 0 THEN {corr} END",
    regr_r2: unlessFlat("CASE WHEN {var y} = 0 THEN 1e0 ELSE {corr} * {corr} END"),
  },
  {
    variance: "varPopStable",
    covariance: "covarPopStable",
    sampleCovariance: "covarSampStable",
    correlation: "corrStable",
    toDouble: asDouble,
    skipsNoNulls: true,
  },
);
