/** Rounds doubles to integers, for engines that round halves away from zero. */
import { binary, call, comparison, typed, when } from "../syntax/build.ts";
import type { Expression } from "../syntax/tree.ts";
import { DOUBLE } from "../types.ts";
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
