/** Rewrites of aggregates that several targets share. */
import { isNullable } from "../binding/nullability.ts";
import { all, isNull, values } from "../syntax/build.ts";
import type { Call } from "../syntax/tree.ts";

/** `array_agg` skips NULLs (semantics.md); the FILTER is left out where there are none. */
export function withoutNulls(node: Call): Call {
  const [value] = values(node);
  if (value === undefined || !isNullable(value)) return node;
  const present = isNull(value, true);
  return { ...node, filter: all(node.filter === undefined ? [present] : [node.filter, present], node) };
}
