/**
 * Intervals that are put together as texts, as reporting tools write them: `('3' || ' days')::interval` is the literal
 * `'3 days'`, and `(n || ' days')::interval` of an integer is `n * INTERVAL '1 day'`, which every source can add to a date.
 */
import { unitOfWord } from "../intervals.ts";
import type { Expression, StringLiteral } from "../syntax/tree.ts";
import { typeOf } from "./coercion.ts";

/** A bound text as one literal, if two literals make it. */
export function joinedLiteral(operand: Expression): StringLiteral | undefined {
  const [left, right] = sidesOf(operand) ?? [];
  if (left === undefined || right?.kind !== "string") return undefined;
  const before = left.kind === "number" ? left.text : left.kind === "string" ? left.value : undefined;
  return before === undefined ? undefined : { ...right, value: before + right.value, span: operand.span };
}

/** A bound text as an integer and the name of a unit behind it. */
export function countedUnit(operand: Expression): readonly [count: Expression, unit: string] | undefined {
  const [left, right] = sidesOf(operand) ?? [];
  if (left === undefined || right?.kind !== "string" || !/^\s+\w+\s*$/.test(right.value.slice(0, 40))) return undefined;
  const unit = unitOfWord(right.value.trim());
  return unit === undefined || typeOf(left).kind !== "integer" ? undefined : [left, unit];
}

/** Operands of `a || b`; a value that is cast to text counts as the value. */
function sidesOf(operand: Expression): readonly [Expression, Expression] | undefined {
  if (operand.kind !== "binary" || operand.operator !== "||") return undefined;
  const { left, right } = operand;
  const isText = left.kind === "cast" && typeOf(left).kind === "text" && left.typeName.parameters.length === 0;
  return [isText ? left.operand : left, right];
}
