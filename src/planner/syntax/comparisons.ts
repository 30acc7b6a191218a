import type { BinaryOperator, ComparisonOperator, PatternOperator } from "./tree.ts";

/** The operators of the language that compare two values and are NULL where one is unknown. */
export const COMPARISON_OPERATORS: readonly ComparisonOperator[] = ["=", "<>", "<", "<=", ">", ">="];

const COMPARISONS: ReadonlySet<string> = new Set(COMPARISON_OPERATORS);

export function isComparison(operator: BinaryOperator | PatternOperator): operator is ComparisonOperator {
  return COMPARISONS.has(operator);
}
