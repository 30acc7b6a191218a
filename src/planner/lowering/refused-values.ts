/** Values that Spark, Trino, BigQuery and Snowflake cannot return, compare or write. */
import { unsupported } from "../diagnostics.ts";
import type { BitsLiteral, Expression, InQuery } from "../syntax/tree.ts";

/** A literal of bits is bytes on these targets. */
export function wholeBytes(node: BitsLiteral): undefined {
  if (node.base === 16 && node.digits.length % 2 === 0) return;
  throw unsupported("a literal of bits", node.span, "Write whole bytes: X'0F'.");
}

/** An interval cannot be a column of the result. */
export function refuseInterval(expression: Expression): Expression {
  if (expression.type?.kind !== "interval") return expression;
  const hint = "Use date_diff('day', a, b), or extract(epoch FROM a - b).";
  throw unsupported("an interval as a value", expression.span, hint);
}

/** A row with a NULL is compared otherwise than in PostgreSQL, whatever its other elements are, unless only truth counts. */
export function refuseRow(node: InQuery): void {
  if (node.operand.kind !== "row" || (node.onlyTruth === true && !node.negated)) return;
  throw unsupported("a row that is compared with those of a subquery", node.span, "Use EXISTS.");
}
