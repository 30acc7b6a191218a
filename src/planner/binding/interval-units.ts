/**
 * INTERVAL_UNIT: `ts + INTERVAL '5' days` is five days. PostgreSQL, whose only unit is `day`, reads five seconds with
 * the alias "days" at the end of a select item.
 */
import { hasAliasAsUnit } from "../syntax/constants.ts";
import type { Expression, SelectExpression } from "../syntax/tree.ts";
import type { BindingContext } from "./context.ts";

export function warnOfUnit({ expression, alias }: SelectExpression, context: BindingContext): void {
  const last = alias === undefined ? lastOf(expression) : undefined;
  if (last === undefined || !hasAliasAsUnit(last)) return;
  context.warn(
    "INTERVAL_UNIT",
    "an interval with a unit behind its text: PostgreSQL takes the unit for the name of the column, and the text for seconds",
    last.span,
    "Write the unit in the text, INTERVAL '5 days', or as PostgreSQL spells it, INTERVAL '5' DAY.",
  );
}

/** The last operand of an expression. */
function lastOf(expression: Expression): Expression {
  switch (expression.kind) {
    case "binary":
      return lastOf(expression.right);
    case "unary":
      return lastOf(expression.operand);
    default:
      return expression;
  }
}
