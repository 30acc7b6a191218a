/** Window functions for targets where some of them require an order, and aggregates over types that such targets lack. */
import { unsupported } from "../../diagnostics.ts";
import { renamed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

type AnyOrder = (at: Call) => SortItem;

/** Without an order all rows are peers, and any row is the first; these targets require an explicit order. */
export const orderedBy =
  (anyOrder: AnyOrder) =>
  (node: Call): Call => {
    const { over } = node;
    if (over === undefined || over.orderBy.length > 0) return node;
    return { ...node, over: { ...over, orderBy: [anyOrder(node)] } };
  };

/** `lag` and `lead`; `beside` converts the value and its default to one type. */
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

/** GROUPING of several values has its own function name. */
export function grouping(node: Call): Call {
  return node.arguments.length === 1 ? node : renamed(node, "grouping_id");
}

/** The same call; refuses booleans. */
export function compared(node: Call): Call {
  if (values(node).some((value) => typeOrUnknown(value).kind === "boolean")) {
    throw unsupported("the least or greatest of booleans", node.span, "Use bool_and or bool_or.");
  }
  return node;
}
