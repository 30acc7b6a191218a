/** Integer literals of a statement, where the rendering of a call depends on one. */
import type { Expression } from "../../syntax/tree.ts";

/** A literal number of characters or digits, without a sign. */
export function naturalOf(value: Expression): number | undefined {
  return value.kind === "number" ? countOf(value) : undefined;
}

/** An integer literal; `undefined` for any other expression. */
export function countOf(value: Expression): number | undefined {
  if (value.kind === "unary" && value.operator === "-") {
    const count = countOf(value.operand);
    return count === undefined ? undefined : -count;
  }
  return value.kind === "number" && /^\d{1,9}$/.test(value.text) ? Number(value.text) : undefined;
}
