/** Refuses comparisons on targets where texts are compared differently from other values. */

import { unsupported } from "../diagnostics.ts";
import type { Expression } from "../syntax/tree.ts";
import { isUnknown, typeOrUnknown } from "../types.ts";

/** On such targets JSON has an order of its own or is a text; arrays are texts where the target has no arrays. */
export function refuseStructures(expression: Expression): void {
  const { kind } = typeOrUnknown(expression);
  if (kind === "json") throw unsupported("a comparison of json", expression.span, "Compare the texts of its members.");
  if (kind === "array") throw unsupported("a comparison of arrays", expression.span);
}

/** Arrays, JSON, and values of unknown type, which may be texts. */
export function rejectUnknownType(expression: Expression): void {
  refuseStructures(expression);
  if (isUnknown(typeOrUnknown(expression))) {
    throw unsupported(
      "a comparison of values whose type is unknown",
      expression.span,
      "Declare the type, or write a CAST.",
    );
  }
}
