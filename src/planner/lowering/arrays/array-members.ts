/** Array functions that several targets render in the same way. */

import { unsupported } from "../../diagnostics.ts";
import { call, comparison, integer, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER } from "../../types.ts";

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

/** `contains(a, x)` of an array, or of a part in a text: `array` renders the first. */
export function containing(node: Call, array: (node: Call) => Expression): Expression {
  const [whole, part] = values(node);
  if (whole === undefined || part === undefined) return node;
  if (whole.type?.kind === "array") return array(node);
  if (whole.type?.kind !== "text" || part.type?.kind !== "text") {
    throw unsupported(
      "contains of anything but an array or two texts",
      node.span,
      "Write x = ANY (a), or x LIKE '%y%'.",
    );
  }
  const found = call("strpos", [whole, part], { span: node.span, type: INTEGER });
  return comparison(found, ">", integer(0, node), node);
}
