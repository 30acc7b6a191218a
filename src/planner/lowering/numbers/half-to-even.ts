/** Rounds doubles to integers, for engines that round halves away from zero. */
import { unsupported } from "../../diagnostics.ts";
import { binary, call, comparison, typed, when } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { DOUBLE, INTEGER } from "../../types.ts";
import { isShortOperand } from "../short-operands.ts";
import { spelled, words } from "../templates/template.ts";
import { asDouble } from "./long-decimals.ts";

/** Rounds halves to the even integer, as PostgreSQL rounds doubles. */
export function halfToEven(operand: Expression): Expression {
  const at = typed(DOUBLE, operand);
  const value = asDouble(operand);
  const of = (digits: string): Expression => ({ kind: "number", text: digits, span: operand.span, type: DOUBLE });
  const half = binary(value, "/", of("2e0"), at);
  const rest = binary(value, "-", call("truncate", [value], at), at);
  const isHalf = comparison(call("abs", [rest], at), "=", of("0.5e0"), operand);
  const even = binary(call("round", [half], at), "*", of("2e0"), at);
  return when(isHalf, even, call("round", [value], at), at);
}

/** The integer part of a double, for engines whose own function documents no doubles. */
export function cutDouble(operand: Expression): Expression {
  const at = typed(DOUBLE, operand);
  const value = asDouble(operand);
  const zero: Expression = { kind: "number", text: "0", span: operand.span, type: INTEGER };
  return when(comparison(value, "<", zero, operand), call("ceil", [value], at), call("floor", [value], at), at);
}

/** A cast of a double to an integer, by the target's own words for a number that is rounded half away from zero, or cut. */
export function castHalfToEven(
  rounded: (value: string) => string,
  cut: (value: string) => string,
): (node: Cast) => Cast {
  const half = `ABS($1 - ${cut("$1")}) = 0.5`;
  const even = words(`CASE WHEN ${half} THEN ${rounded("$1 / 2")} * 2 ELSE ${rounded("$1")} END`, { type: DOUBLE });
  return (node) => {
    if (!isShortOperand(node.operand)) {
      throw unsupported(
        "a cast from a long expression of doubles to an integer",
        node.span,
        "Write floor(x) or ceil(x) in it.",
      );
    }
    return { ...node, safe: false, operand: spelled(even, [asDouble(node.operand)], typed(DOUBLE, node.operand)) };
  };
}
