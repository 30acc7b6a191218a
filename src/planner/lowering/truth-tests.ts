/** IS TRUE, IS FALSE, IS UNKNOWN and `row IS NULL`, for targets with only IS NULL of a single value. */
import { call, isNull, logical, not, typed } from "../syntax/build.ts";
import type { Expression, Is } from "../syntax/tree.ts";
import { BOOLEAN } from "../types.ts";

export function truthTest(node: Is): Expression | undefined {
  const { operand, test, negated, span } = node;
  if (test === "unknown") return isNull(operand, negated);
  if (test === "null") {
    if (operand.kind !== "row") return undefined;
    return logical(
      "and",
      operand.elements.map((each) => isNull(each, negated)),
      node,
    );
  }
  const side = test === "true" ? operand : not(operand);
  const no: Expression = { kind: "boolean", value: false, span, type: BOOLEAN };
  const found = call("coalesce", [side, no], typed(BOOLEAN, node));
  return negated ? not(found) : found;
}
