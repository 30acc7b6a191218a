/** Expressions that are another value when they are computed again. */
import { functionName } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import type { Expression } from "../syntax/tree.ts";

/** Functions that we do not know may be volatile. */
export function isVolatile(expression: Expression): boolean {
  if (expression.kind !== "call") return false;
  const specification = findFunction(expression.name[expression.name.length - 1]?.name ?? "");
  // `age` of one timestamp is its distance from today.
  if (specification?.name === "age" && expression.arguments.length === 1) return true;
  return specification === undefined || specification.safety !== "pure";
}

/** Another value at every call; `now()` is one per statement. */
export function isRandom(expression: Expression): boolean {
  return expression.kind === "call" && findFunction(functionName(expression))?.safety === "random";
}
