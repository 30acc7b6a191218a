import type { BinaryOperator, ComparisonOperator, PatternOperator } from "./tree.ts";

/** The comparison operators of the input language; each returns NULL when an operand is NULL. */
export const COMPARISON_OPERATORS: readonly ComparisonOperator[] = ["=", "<>", "<", "<=", ">", ">="];

/** The operator of the same comparison with its sides exchanged. */
export const FLIPPED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

const COMPARISONS: ReadonlySet<string> = new Set(COMPARISON_OPERATORS);

export function isComparison(operator: BinaryOperator | PatternOperator): operator is ComparisonOperator {
  return COMPARISONS.has(operator);
}
