/** Reals beside exact numbers, which are doubles there: `lowering/numbers/reals.ts`. */

import { unsupported } from "../../diagnostics.ts";
import { isExact, isReal } from "../../lowering/numbers/reals.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import type { SetOperation } from "../../syntax/tree.ts";

export function setOfReals(node: SetOperation): SetOperation {
  const [left, right] = [outputColumnsOf(node.left), outputColumnsOf(node.right)];
  const mixed = left.some(({ type }, index) => {
    const other = right[index]?.type;
    return (isReal(type) && isExact(other)) || (isExact(type) && isReal(other));
  });
  if (!mixed) return node;
  throw unsupported("a real beside an exact number in a set operation", node.span, "Cast both to double precision.");
}
