/** Array operators whose meaning in DuckDB differs from PostgreSQL's: NULL arrays, NULL elements, indexes below 1. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { isMap } from "../../functions/specification.ts";
import { binary, call, inPlaceOf, integer, isNull, when } from "../../syntax/build.ts";
import type { Binary, Expression, Quantified, Slice, Subscript } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, isUnknown, type SqlType } from "../../types.ts";
import { jsonSubscript } from "./json.ts";

/** A NULL array joins as an empty one, and an element as an array of one. */
export function lowerArrayJoin(node: Binary, a: SqlType, b: SqlType): Expression | undefined {
  if (a.kind !== "array" && b.kind !== "array") return undefined;
  if (isUnknown(a) || isUnknown(b)) throw unsupported("|| with a value of unknown type", node.span);
  const depth = Math.max(depthOf(a), depthOf(b));
  const list = (side: Expression, type: SqlType): Expression =>
    type.kind === "null" ? side : ofDepth(side, type, depth);
  const parts = [list(node.left, a), list(node.right, b)].flatMap((side) => JOINED.get(side) ?? [side]);
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const all = others.reduce((left, right) => call("list_concat", [left, right], inPlaceOf(node)), first);
  // DuckDB makes an empty list if all parts are NULL.
  const joined = parts.some((part) => !isNullable(part))
    ? all
    : when(isNull(call("coalesce", parts, inPlaceOf(node)), true), all, undefined, inPlaceOf(node));
  JOINED.set(joined, parts);
  return joined;
}

/** An array joins one of arrays as its element. */
export function ofDepth(side: Expression, type: SqlType, depth: number): Expression {
  if (depthOf(type) >= depth) return side;
  const wider: SqlType = { kind: "array", element: type };
  return ofDepth({ kind: "array", elements: [side], span: side.span, type: wider }, wider, depth);
}

export function depthOf(type: SqlType): number {
  return type.kind === "array" ? 1 + depthOf(type.element) : 0;
}

/** The innermost elements: to PostgreSQL an array of arrays is one array of two dimensions. */
export function flattened(list: Expression): Expression {
  const { type } = list;
  if (type?.kind !== "array" || type.element.kind !== "array") return list;
  return flattened(call("flatten", [list], { span: list.span, type: type.element }));
}

/** A joined list → its parts: in a chain each part is tested for NULL once. */
const JOINED = new WeakMap<Expression, readonly Expression[]>();

/** `contained` holding a NULL is in no array: DuckDB leaves its NULLs out of the comparison. */
export function lowerContainment(node: Binary, contained: Expression): Expression | undefined {
  const isComplete = contained.kind === "array" && !contained.elements.some(isNullable);
  if (isComplete) return undefined;
  const count = (name: string): Expression => call(name, [contained], { span: node.span, type: BIGINT });
  const holdsNull = binary(count("list_count"), "<", count("len"), { span: node.span, type: BOOLEAN });
  return when(holdsNull, { kind: "boolean", value: false, span: node.span, type: BOOLEAN }, node, inPlaceOf(node));
}

/** Over a NULL array the answer is unknown; DuckDB takes it for an empty one. */
export function lowerQuantified(written: Quantified): Expression | undefined {
  const node = written.array === undefined ? written : { ...written, array: flattened(written.array) };
  const { array } = node;
  if (array === undefined || !isNullable(array)) return array === written.array ? undefined : node;
  return when(isNull(array, true), node, undefined, inPlaceOf(node));
}

export function lowerSubscript(node: Subscript): Expression | undefined {
  const { operand, index, span } = node;
  if (operand.type?.kind === "json") return jsonSubscript(operand, index, inPlaceOf(node));
  if (operand.type !== undefined && isMap(operand.type)) return undefined;
  // An index below 1 is NULL in PostgreSQL; DuckDB counts it from the end.
  if (index.kind === "number") {
    const type = node.type === undefined ? {} : { type: node.type };
    return index.text === "0" ? { kind: "null", span, ...type } : undefined;
  }
  // NULL is passed over by `greatest`, and no element is at 0. The index stands once: people pick one by `random()`.
  return { ...node, index: call("greatest", [index, integer(0, node)], inPlaceOf(index)) };
}

/** Bounds below 1 are counted from the end, too. */
export function lowerSlice(node: Slice): Expression | undefined {
  for (const bound of [node.from, node.to]) {
    if (bound === undefined || bound.kind === "number") continue;
    throw unsupported(
      "a slice with computed or negative bounds",
      bound.span,
      "Write the bounds as literals from 1 on.",
    );
  }
  return undefined;
}
