/**
 * DuckDB divides decimals as doubles, so `avg(price)` of 1.005 is the double 1.00499…9 and `round(…, 2)` would give 1.00 where
 * PostgreSQL gives 1.01. Where digits decide (round, casts, floor), the value is first brought back to its 15 significant
 * digits, which every such double holds.
 */
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { call, cast, text, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { DOUBLE, NUMERIC, TEXT } from "../../types.ts";

/** The double brought back to a decimal of its significant digits, with room for `scale` of them after the point. */
export function exactDigits(expression: Expression, scale: number): Expression {
  return cast(digits(expression), "numeric", typed(NUMERIC, expression), [38, Math.min(Math.max(scale, 15), 30)]);
}

/** An inexact decimal as the double nearest to its 15 significant digits, which equals that of the same decimal. */
export function nearestDigits(expression: Expression): Expression {
  return isInexactDecimal(expression) && !isNearest(expression) ? doubleOfDigits(expression) : expression;
}

function isNearest(expression: Expression): boolean {
  return (
    expression.kind === "cast" && expression.operand.kind === "call" && expression.operand.name[0]?.name === "format"
  );
}

/** The double nearest to a number's significant digits: `0.1` and not `0.10000000149` for a real. A decimal by type. */
export function doubleOfDigits(expression: Expression): Expression {
  return cast(digits(expression), "double precision", typed(NUMERIC, expression));
}

/** A `real` has 6 significant digits, as in PostgreSQL's own conversion. */
function digits(expression: Expression): Expression {
  const { type } = expression;
  const count = type?.kind === "float" && type.bits === 32 ? 6 : 15;
  const double = cast(expression, "double precision", typed(DOUBLE, expression));
  return call("format", [text(`{:.${count}g}`, expression), double], typed(TEXT, expression));
}
