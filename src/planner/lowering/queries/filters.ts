/** FILTER of aggregates as CASE: excluded values become NULL, which aggregates skip. */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { inPlaceOf, integer, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER } from "../../types.ts";

/** The same aggregate over the rows that meet its filter. */
export function withoutFilter(node: Call): Call {
  const { filter } = node;
  if (filter === undefined) return node;
  if (findFunction(functionName(node))?.keepsNulls === true) {
    throw unsupported(`FILTER of ${functionName(node)}`, node.span, "Filter the rows in a subquery first.");
  }
  const kept = (value: Expression): Expression => when(filter, value, undefined, inPlaceOf(value));
  const plain: Call = { ...node, filter: undefined };
  if (node.withinGroup.length > 0) {
    return { ...plain, withinGroup: node.withinGroup.map((item) => ({ ...item, expression: kept(item.expression) })) };
  }
  if (node.star) {
    const one = when(filter, integer(1, node), undefined, { span: node.span, type: INTEGER });
    return { ...plain, star: false, arguments: [{ name: undefined, value: one }] };
  }
  const [first, ...others] = node.arguments;
  if (first === undefined) throw unsupported(`FILTER of ${functionName(node)}`, node.span);
  return { ...plain, arguments: [{ ...first, value: kept(first.value) }, ...others] };
}
