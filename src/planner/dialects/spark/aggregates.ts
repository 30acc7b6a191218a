/** Aggregates that Spark lacks, or has with other results. What is joined or looked up in an order is collected and sorted then. */

import { isNullable } from "../../binding/nullability.ts";
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { pairsBy } from "../../lowering/numbers/pairs-of-doubles.ts";
import { percentileArguments } from "../../lowering/numbers/percentiles.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { all, call, comparison, inPlaceOf, integer, isNull, text, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTEGER, type SqlType, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

const arrayType = (element: SqlType): SqlType => ({ kind: "array", element });

/** Values collected in a struct, so that they can be sorted. */
export const SORTED = "sorted values";

/** `collect_list` of the values that are not NULL, in their order; of none an empty array. */
function collected(node: Call, value: Expression, orderBy: readonly SortItem[] = node.orderBy): Expression {
  const filter = all(
    [...(node.filter === undefined ? [] : [node.filter]), ...(isNullable(value) ? [isNull(value, true)] : [])],
    node,
  );
  const element = typeOrUnknown(value);
  const at = typed(arrayType(element), node);
  const [only, ...others] = orderBy;
  // A key that is the value itself needs no struct, which DISTINCT would take with it.
  const keys = only !== undefined && others.length === 0 && sameExpression(only.expression, value) ? [] : orderBy;
  if (node.distinct && keys.length > 0) {
    throw unsupported("DISTINCT beside an order by something else", node.span, "Make the rows distinct in a subquery.");
  }
  const name = node.distinct ? "collect_set" : "collect_list";
  const list = (each: Expression): Call => ({ ...call(name, [each], at), filter, over: node.over });
  if (orderBy.length === 0) return list(value);
  const own: Expression =
    keys.length === 0 ? value : call("sortable", [value, ...keys.map(({ expression }) => expression)], at);
  // How each key is sorted is spelled with the call: `desc nulls first`.
  const order = orderBy.map(
    ({ direction, nulls }) => `${direction ?? "asc"} ${nulls ?? (direction === "desc" ? "last" : "first")}`,
  );
  return call(
    SORTED,
    [list(own), text(keys.length === 0 ? "value" : "members", node), text(order.join(","), node)],
    at,
  );
}

/** NULL where nothing was collected. */
const orNull = (list: Expression, then: Expression, at: Expression): Expression =>
  when(
    comparison(call("cardinality", [list], typed(INTEGER, at)), ">", integer(0, at), at),
    then,
    undefined,
    inPlaceOf(at),
  );

export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined || node.over !== undefined) {
    throw unsupported("string_agg over a window", node.span, "Group the rows in a subquery.");
  }
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  const list = collected(node, textOf(value, value));
  return orNull(list, call("array_join", [list, separator], inPlaceOf(node)), node);
}

export function gathered(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const list = collected(node, value);
  return orNull(list, list, node);
}

const elementAt = (place: string): string => `try_element_at(_a, ${place})`;
const ofSorted = (body: string) => words(`transform(array($1), _a -> CASE WHEN size(_a) > 0 THEN ${body} END)[0]`);

/** $1 has the sorted values, $2 is the fraction. Without values the array is empty, and a lookup in it returns NULL. */
const ONE = ofSorted(elementAt("greatest(CAST(ceil($2 * size(_a)) AS INT), 1)"));
const PLACE = "($2 * (size(_a) - 1))";
const [LOW, HIGH] = [elementAt(`CAST(floor${PLACE} AS INT) + 1`), elementAt(`CAST(ceil${PLACE} AS INT) + 1`)];
const BETWEEN_TWO = ofSorted(`${LOW} + (${HIGH} - ${LOW}) * (${PLACE} - floor${PLACE})`);

/** The values are collected in their order, because Spark's own percentiles are doubles. */
export function percentile(node: Call): Expression {
  const { isContinuous, fraction, sort } = percentileArguments(node);
  const value = isContinuous ? asDouble(sort.expression) : sort.expression;
  const sorted = collected(node, value, [{ ...sort, expression: value, nulls: undefined }]);
  const share: Expression = { ...fraction, text: `${fraction.text}D`, type: DOUBLE };
  return spelled(isContinuous ? BETWEEN_TWO : ONE, [sorted, share], node);
}

/** The most frequent value, and of several the first in their order. */
export function mostFrequent(node: Call): Expression {
  const [sort] = node.withinGroup;
  if (sort === undefined || node.over !== undefined || sort.direction === "desc")
    throw unsupported("mode with these arguments", node.span);
  const leastOfThem: Expression = { kind: "boolean", value: true, span: node.span, type: BOOLEAN };
  return { ...call("mode", [sort.expression, leastOfThem], inPlaceOf(node)), filter: node.filter };
}

const CORRELATION = "{covar} / (sqrt({var x}) * sqrt({var y}))";

/** Spark divides by a spread of zero, or takes it for a perfect line. */
export const correlated = pairsBy({
  corr: `CASE WHEN {var x} = 0 OR {var y} = 0 THEN NULL ELSE ${CORRELATION} END`,
  regr_r2: `CASE WHEN {var x} = 0 THEN NULL WHEN {var y} = 0 THEN 1D ELSE ${CORRELATION} * (${CORRELATION}) END`,
});

/** Spark's takes NULL for a value. */
export const anyValue = (node: Call): Call => ({
  ...call(
    "any_value",
    [...values(node), { kind: "boolean", value: true, span: node.span, type: { kind: "boolean" } }],
    inPlaceOf(node),
  ),
  filter: node.filter,
  over: node.over,
  distinct: false,
});
