/** What cannot be compared on targets where texts are compared otherwise than other values. */
import type { Expression } from "../syntax/tree.ts";
import { isUnknown, typeOrUnknown } from "../types.ts";
import { unsupported } from "./target.ts";

/** JSON has an order of its own or is a text, and of what nobody knows the type of nobody knows whether it is a text. */
export function refuseUntold(expression: Expression): void {
  const type = typeOrUnknown(expression);
  if (type.kind === "json") throw unsupported("a comparison of json", expression.span, "Compare texts: j ->> 'key'.");
  if (type.kind === "array") throw unsupported("a comparison of arrays", expression.span);
  if (isUnknown(type)) {
    throw unsupported(
      "a comparison of values whose type is unknown",
      expression.span,
      "Declare the type, or write a CAST.",
    );
  }
}
