/**
 * The two zeros of a double are equal, but ClickHouse distinguishes rows by their bits: in groups, joins and sets. Seen on
 * ClickHouse 26.7; reported as https://github.com/ClickHouse/ClickHouse/issues/68928, a change is open as
 * https://github.com/ClickHouse/ClickHouse/pull/115970.
 */
import { binary, cast, integer, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";

export function withOneZero(expression: Expression): Expression {
  const type = typeOrUnknown(expression);
  if (type.kind !== "float" || isWritten(expression)) return expression;
  const zero = cast(integer(0, expression), "double precision", typed(DOUBLE, expression));
  const value = binary(expression, "+", zero, typed(DOUBLE, expression));
  return type.bits === 64 ? value : cast(value, "real", typed(type, expression));
}

/** A literal has no sign. */
function isWritten(expression: Expression): boolean {
  if (expression.kind === "cast") return isWritten(expression.operand);
  return expression.kind === "null" || expression.kind === "number";
}
