/** Reals beside exact numbers, which are doubles there: `lowering/reals.ts`. */

import { unsupported } from "../../diagnostics.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { asReal, isExact, isReal } from "../../lowering/reals.ts";
import { values, withArguments } from "../../syntax/build.ts";
import type { Call, Case, SetOperation } from "../../syntax/tree.ts";

export const chosenOfReals = (node: Call): Call =>
  isReal(node.type) ? withArguments(node, values(node).map(asReal)) : node;

export function caseOfReals(node: Case): Case | undefined {
  if (!isReal(node.type)) return undefined;
  const branches = node.branches.map((each) => ({ ...each, then: asReal(each.then) }));
  return { ...node, branches, otherwise: node.otherwise && asReal(node.otherwise) };
}

export function setOfReals(node: SetOperation): SetOperation {
  const [left, right] = [outputColumnsOf(node.left), outputColumnsOf(node.right)];
  const mixed = left.some(({ type }, index) => {
    const other = right[index]?.type;
    return (isReal(type) && isExact(other)) || (isExact(type) && isReal(other));
  });
  if (!mixed) return node;
  throw unsupported("a real beside an exact number in a set operation", node.span, "Cast both to double precision.");
}
