/** Aggregates that ClickHouse lacks, or computes with other results. Seen on ClickHouse 26.7. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import {
  all,
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
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DOUBLE, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { asDecimal, counted } from "./numbers.ts";
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

/** Only pairs without NULL count. */
export function ofPairs(node: Call): Expression {
  const [y, x] = values(node);
  if (x === undefined || y === undefined || node.distinct)
    throw unsupported("a regression with these arguments", node.span);
  const at = typed(DOUBLE, node);
  const both = logical("and", [isNull(y, true), isNull(x, true)], node);
  const paired = (value: Expression): Expression => when(both, asDouble(value), undefined, at);
  const of = (name: string, list: readonly Expression[]): Call => ({
    ...call(name, list, at),
    filter: node.filter,
    over: node.over,
  });
  const n: Call = { ...of("count", [paired(x)]), type: BIGINT };
  const least = (count: number, then: Expression): Expression =>
    when(comparison(n, ">=", integer(count, node), node), then, undefined, inPlaceOf(node));
  const over = (a: Expression, b: Expression): Expression => binary(a, "/", b, at);
  const times = (a: Expression, b: Expression): Expression => binary(a, "*", b, at);
  const [ofX, ofY] = [of("varPopStable", [paired(x)]), of("varPopStable", [paired(y)])];
  const together = of("covarPopStable", [paired(y), paired(x)]);
  const unless = (none: Expression, then: Expression): Expression =>
    when(comparison(none, "<>", integer(0, node), node), then, undefined, inPlaceOf(node));
  const slope = unless(ofX, over(together, ofX));
  switch (node.name[0]?.name) {
    case "regr_count":
      return counted(n, node);
    case "regr_avgx":
      return of("avg", [paired(x)]);
    case "regr_avgy":
      return of("avg", [paired(y)]);
    case "regr_sxx":
      return least(1, times(n, ofX));
    case "regr_syy":
      return least(1, times(n, ofY));
    case "regr_sxy":
      return least(1, times(n, together));
    case "covar_pop":
      return least(1, together);
    case "covar_samp":
      return least(2, of("covarSampStable", [paired(y), paired(x)]));
    case "regr_slope":
      return slope;
    case "regr_intercept":
      return binary(of("avg", [paired(y)]), "-", times(slope, of("avg", [paired(x)])), inPlaceOf(node));
    case "corr":
      return unless(times(ofX, ofY), of("corrStable", [paired(y), paired(x)]));
    default: {
      const correlation = of("corrStable", [paired(y), paired(x)]);
      const none = comparison(ofY, "=", integer(0, node), node);
      const one: Expression = { kind: "number", text: "1e0", span: node.span, type: DOUBLE };
      return unless(ofX, cases([{ when: none, then: one }], times(correlation, correlation), at));
    }
  }
}
