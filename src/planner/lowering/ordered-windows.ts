/** Window functions for targets where some of them ask for an order, and aggregates of what such targets have no type for. */
import { unsupported } from "../diagnostics.ts";
import { renamed, values, withArguments } from "../syntax/build.ts";
import type { Call, Expression, SortItem } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";

type AnyOrder = (at: Call) => SortItem;

/** Without an order all rows are peers, and any is the first; there it has to be said. */
export const orderedBy =
  (anyOrder: AnyOrder) =>
  (node: Call): Call => {
    const { over } = node;
    if (over === undefined || over.orderBy.length > 0) return node;
    return { ...node, over: { ...over, orderBy: [anyOrder(node)] } };
  };

/** `lag` and `lead`; `beside` makes the value of one type with what stands for rows that are not there. */
export const neighbourBy = (beside: (value: Expression, otherwise: Expression) => Expression, anyOrder: AnyOrder) => {
  const ordered = orderedBy(anyOrder);
  return (node: Call): Expression => {
    const [value, distance, otherwise] = values(node);
    if (distance !== undefined && distance.kind !== "number") {
      throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
    }
    if (value === undefined || distance === undefined || otherwise === undefined) return ordered(node);
    return ordered(withArguments(node, [beside(value, otherwise), distance, otherwise]));
  };
};

/** Of several values GROUPING is a number of its own name. */
export function grouping(node: Call): Call {
  return node.arguments.length === 1 ? node : renamed(node, "grouping_id");
}

/** The same call, of anything but booleans. */
export function compared(node: Call): Call {
  if (values(node).some((value) => typeOrUnknown(value).kind === "boolean")) {
    throw unsupported("the least or greatest of booleans", node.span, "Use bool_and or bool_or.");
  }
  return node;
}
