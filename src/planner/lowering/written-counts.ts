/** Whole numbers as a statement writes them, where what is made of a call depends on one. */
import type { Expression } from "../syntax/tree.ts";

/** A number of characters or digits as it is written, which has no sign. */
export function naturalOf(value: Expression): number | undefined {
  return value.kind === "number" ? countOf(value) : undefined;
}

/** A whole number as it is written; `undefined` for any other expression. */
export function countOf(value: Expression): number | undefined {
  if (value.kind === "unary" && value.operator === "-") {
    const count = countOf(value.operand);
    return count === undefined ? undefined : -count;
  }
  return value.kind === "number" && /^\d{1,9}$/.test(value.text) ? Number(value.text) : undefined;
}
