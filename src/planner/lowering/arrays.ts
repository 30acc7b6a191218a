/** Array functions that several targets say alike. */
import { values } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { BOOLEAN } from "../types.ts";

/** `array_contains(a, x)` as `x = ANY (a)`: unknown, not false, when only a NULL could be the value. */
export function isAnyOf(node: Call): Expression {
  const [array, operand] = values(node);
  if (array === undefined || operand === undefined) return node;
  return {
    kind: "quantified",
    operator: "=",
    quantifier: "any",
    operand,
    query: undefined,
    array,
    span: node.span,
    type: BOOLEAN,
  };
}
