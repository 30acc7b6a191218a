/** NULLs that are skipped or counted, as several targets render it. */
import { isNullable } from "../binding/nullability.ts";
import { all, binary, inPlaceOf, integer, isNull, typed, values, when } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { INTEGER } from "../types.ts";

/** `array_agg` skips NULLs (docs/spec/language.md); the FILTER is omitted if there are none. */
export function withoutNulls(node: Call): Call {
  const [value] = values(node);
  if (value === undefined || !isNullable(value)) return node;
  const present = isNull(value, true);
  return { ...node, filter: all(node.filter === undefined ? [present] : [node.filter, present], node) };
}

export function countedNulls(node: Call, areNull: boolean): Expression {
  const [first, ...others] = values(node).map((value) =>
    when(isNull(value, !areNull), integer(1, node), integer(0, node), typed(INTEGER, node)),
  );
  return others.reduce<Expression>((sum, each) => binary(sum, "+", each, inPlaceOf(node)), first ?? integer(0, node));
}
