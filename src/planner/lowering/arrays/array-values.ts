/** Rules for arrays that several targets share, whose functions have names of their own. */

import { isNullable } from "../../binding/nullability.ts";
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { call, comparison, inPlaceOf, integer, isNull, logical, typed, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Cast, Expression, Quantified, Slice, SortItem } from "../../syntax/tree.ts";
import { type SqlType, typeOrUnknown } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";

type Kind = SqlType["kind"];

export function isArrayOf(array: Expression | undefined, kinds: readonly Kind[]): array is Expression {
  const type = array && typeOrUnknown(array);
  if (array?.kind === "array" && array.elements.length === 0) return true;
  return type?.kind === "array" && kinds.includes(type.element.kind);
}

/** The type of the elements; that of the value where it is no array. */
export function elementTypeOf(array: Expression): SqlType {
  const type = typeOrUnknown(array);
  return type.kind === "array" ? type.element : type;
}

/** Written once more, it is as cheap and has the same value. */
export function isRepeatable(array: Expression): boolean {
  if (array.kind === "array") return array.elements.every(isRepeatable);
  if (array.kind === "call" && array.name[0]?.name === "coalesce") return values(array).every(isRepeatable);
  return /^(?:bound|string|number|boolean|null)$/.test(array.kind);
}

export const emptyArray = (type: SqlType, at: Expression): Expression => ({
  kind: "array",
  elements: [],
  span: at.span,
  type,
});

/** Whether `x = ANY (a)` or `x <> ALL (a)` asks for a member; `undefined` for other comparisons. */
export function membership({ operator, quantifier }: Quantified): "any" | "none" | undefined {
  if (operator === "=" && quantifier === "any") return "any";
  return operator === "<>" && quantifier === "all" ? "none" : undefined;
}

/** `a = '{}'` and `a <> '{}'` by the count of elements; `undefined` for other comparisons. */
export function comparedWithNone(node: Binary, sizeOf: (array: Expression) => Expression): Expression | undefined {
  const { left, right, operator } = node;
  if (operator !== "=" && operator !== "<>") return undefined;
  const [array, none] = left.kind === "array" ? [right, left] : [left, right];
  if (none.kind !== "array" || none.elements.length > 0 || array.kind !== "bound") return undefined;
  if (typeOrUnknown(array).kind !== "array") return undefined;
  return comparison(sizeOf(array), operator, integer(0, node), node);
}

/** The elements of an array that is written out, if all are of the kind of the other array's and none may be NULL. */
export function soughtElements(
  array: Expression,
  sought: Expression,
  kinds: readonly Kind[],
): readonly Expression[] | undefined {
  if (sought.kind !== "array" || sought.elements.length === 0 || sought.elements.some(isNullable)) return undefined;
  const { kind } = elementTypeOf(array);
  const isSame = sought.elements.every((each) => typeOrUnknown(each).kind === kind);
  return isSame && isArrayOf(array, kinds) ? sought.elements : undefined;
}

/** The first and the last place of a slice; `undefined` for the end of the array. */
export function placesOf({ from, to, span }: Slice): readonly [first: number, last: number | undefined] {
  const [first, last] = [from === undefined ? 1 : countOf(from), to === undefined ? undefined : countOf(to)];
  if (first === undefined || (to !== undefined && last === undefined)) {
    throw unsupported("a slice with computed bounds", span, "Write the bounds as literals.");
  }
  return [Math.max(first, 1), last];
}

/** An array that is written out keeps its elements where each has the wanted type already. */
export function sameArray(node: Cast): Expression {
  const { operand, typeName } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  if (operand.kind === "array" && from.kind === "array" && to.kind === "array" && !node.safe) {
    const isKept = typeName.parameters.length === 0 && holds(to.element, from.element);
    if (operand.elements.length === 0 || isKept) return { ...operand, type: to };
  }
  throw unsupported("a cast from array to array", node.span);
}

function holds(wanted: SqlType, own: SqlType): boolean {
  if (wanted.kind === "integer" && own.kind === "integer") return wanted.bits >= own.bits;
  return wanted.kind === own.kind && (wanted.kind === "text" || wanted.kind === "boolean");
}

/** How a target joins two arrays; `refused` for those that it cannot. */
export interface Joining {
  readonly kinds: readonly Kind[];
  readonly both: (left: Expression, right: Expression, at: Expression) => Expression;
  readonly refused: (at: Expression) => Error;
}

/** `a || b`, `a || x` and `x || a`. A NULL array is joined as an empty one; two of them are NULL. */
export function joinedArrays({ kinds, both, refused }: Joining, left: Expression, right: Expression, at: Expression) {
  const type = typeOrUnknown(at);
  const isJoinable = (side: Expression): boolean => {
    const own = typeOrUnknown(side);
    if (own.kind !== "array" || type.kind !== "array" || !isRepeatable(side) || !isArrayOf(side, kinds)) return false;
    return (side.kind === "array" && side.elements.length === 0) || own.element.kind === type.element.kind;
  };
  const sides = [left, right].map((side): Expression => {
    if (typeOrUnknown(side).kind === "array") return side;
    return { kind: "array", elements: [side], span: side.span, type: { kind: "array", element: typeOrUnknown(side) } };
  });
  const [a, b] = sides;
  if (a === undefined || b === undefined || !sides.every(isJoinable)) throw refused(at);
  const filled = (side: Expression): Expression =>
    isNullable(side) ? call("coalesce", [side, emptyArray(type, at)], typed(type, at)) : side;
  const joined = both(filled(a), filled(b), at);
  if (!sides.every(isNullable)) return joined;
  return when(logical("or", [isNull(a, true), isNull(b, true)], at), joined, undefined, inPlaceOf(at));
}

/** The keys of `array_agg`: distinct values have the order of the values alone. */
export function collectedOrder({ distinct, orderBy, span }: Call, value: Expression): readonly SortItem[] {
  if (!distinct) return orderBy;
  for (const { expression } of orderBy) {
    if (isCollected(expression, value)) continue;
    throw unsupported("DISTINCT beside an order by something else", span, "Make the rows distinct in a subquery.");
  }
  return orderBy.slice(0, 1).map((item) => ({ ...item, expression: value }));
}

/** Whether an expression is the collected value; FILTER has become a CASE. */
export function isCollected(expression: Expression, value: Expression): boolean {
  const kept = value.kind === "case" && value.operand === undefined ? value.branches[0]?.then : undefined;
  return sameExpression(expression, value) || (kept !== undefined && sameExpression(expression, kept));
}
