/** What cannot be compared on targets where texts are compared otherwise than other values. */

import { unsupported } from "../diagnostics.ts";
import type { Expression } from "../syntax/tree.ts";
import { isUnknown, typeOrUnknown } from "../types.ts";

/** JSON has an order of its own or is a text, as are arrays where there are none. */
export function refuseStructures(expression: Expression): void {
  const { kind } = typeOrUnknown(expression);
  if (kind === "json") throw unsupported("a comparison of json", expression.span, "Compare texts: j ->> 'key'.");
  if (kind === "array") throw unsupported("a comparison of arrays", expression.span);
}

/** Structures, and of what nobody knows the type of nobody knows whether it is a text. */
export function refuseUntold(expression: Expression): void {
  refuseStructures(expression);
  if (isUnknown(typeOrUnknown(expression))) {
    throw unsupported(
      "a comparison of values whose type is unknown",
      expression.span,
      "Declare the type, or write a CAST.",
    );
  }
}
