/** Arrays for engines with Trino's array functions: elements are counted from 1, and negative indexes from the end. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import {
  binary,
  call,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  logical,
  not,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type {
  Binary,
  Call,
  ComparisonOperator,
  Expression,
  Quantified,
  Slice,
  Subscript,
  Template,
} from "../../syntax/tree.ts";
import { someNode } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, INTEGER, isUnknown, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { arrayOf } from "../numbers/named-casts.ts";
import { countOf } from "../numbers/written-counts.ts";
import { spelled } from "../templates/template.ts";
import { isAnyOf } from "./array-members.ts";

const TEXTS: SqlType = { kind: "array", element: TEXT };

const isArray = (value: Expression): boolean => typeOrUnknown(value).kind === "array";

export function element(node: Subscript): Expression {
  const { operand, index } = node;
  if (!isArray(operand)) throw unsupported("an element of this", node.span);
  const zero = integer(0, node);
  const place =
    (countOf(index) ?? 0) > 0
      ? index
      : call("nullif", [call("greatest", [index, zero], typed(INTEGER, index)), zero], typed(INTEGER, index));
  return call("element_at", [operand, place], inPlaceOf(node));
}

export function slice(node: Slice): Expression {
  const { operand, from, to } = node;
  const [first, last] = [from === undefined ? 1 : countOf(from), to === undefined ? undefined : countOf(to)];
  if (first === undefined || (to !== undefined && last === undefined)) {
    throw unsupported("a slice with computed bounds", node.span, "Write the bounds as literals.");
  }
  const start = Math.max(first, 1);
  const length =
    last === undefined
      ? call("cardinality", [operand], typed(BIGINT, node))
      : integer(Math.max(last - start + 1, 0), node);
  return call("slice", [operand, integer(start, node), length], inPlaceOf(node));
}

export function quantified(node: Quantified): Expression | undefined {
  const { operand, operator, quantifier, query, array, span } = node;
  if (query !== undefined) {
    if (operand.kind === "row") throw unsupported("ANY or ALL of rows", span, "Use EXISTS.");
    return undefined;
  }
  if (array === undefined) return undefined;
  if (array.kind === "array" && array.written === undefined) {
    const parts = array.elements.map((each) => comparison(operand, operator as ComparisonOperator, each, node));
    if (parts.length === 0) return { kind: "boolean", value: quantifier === "all", span, type: BOOLEAN };
    return logical(quantifier === "any" ? "or" : "and", parts, node);
  }
  const found = call("contains", [array, operand], typed(BOOLEAN, node));
  if (operator === "=" && quantifier === "any") return found;
  if (operator === "<>" && quantifier === "all") return not(found);
  throw unsupported(`${operator} ${quantifier.toUpperCase()} of an array`, span, "Join its elements: unnest(a).");
}

export function containsElement(node: Call): Expression {
  const any = isAnyOf(node);
  return (any.kind === "quantified" && quantified(any)) || any;
}

/** NULL for an empty array. */
export function length(node: Call): Expression {
  const [array, dimension] = values(node);
  if (array === undefined || (dimension && countOf(dimension)) !== 1) {
    throw unsupported("the length of another dimension than the first", node.span);
  }
  const count = call("cardinality", [array], typed(BIGINT, node));
  return call("nullif", [count, integer(0, node)], inPlaceOf(node));
}

export function lower(node: Call): Expression {
  const there = comparison(length(node), ">", integer(0, node), node);
  return when(there, integer(1, node), undefined, inPlaceOf(node));
}

export function position(node: Call): Expression {
  const [array, value] = values(node);
  if (array === undefined || value === undefined) return node;
  if (isNullable(value)) throw unsupported("the position of a value that may be NULL", value.span);
  return call(
    "nullif",
    [call("array_position", [array, value], typed(BIGINT, node)), integer(0, node)],
    inPlaceOf(node),
  );
}

/** A NULL array is concatenated as an empty one, and an element as an array of one element. */
export function joined(left: Expression, right: Expression, at: Expression): Expression {
  const sides = [left, right];
  if (sides.some((side) => isUnknown(typeOrUnknown(side))))
    throw unsupported("|| with a value of unknown type", at.span);
  const list = (side: Expression): Expression =>
    isArray(side) || typeOrUnknown(side).kind === "null"
      ? side
      : { kind: "array", elements: [side], span: side.span, type: { kind: "array", element: typeOrUnknown(side) } };
  const none = arrayOf(typeOrUnknown(at), at);
  const [a, b] = sides.map(list);
  if (a === undefined || b === undefined) return at;
  const filled = (side: Expression): Expression =>
    isNullable(side) ? call("coalesce", [side, none], inPlaceOf(side)) : side;
  const both = binary(filled(a), "||", filled(b), inPlaceOf(at));
  if (!isNullable(a) || !isNullable(b)) return both;
  return when(logical("or", [isNull(a, true), isNull(b, true)], at), both, undefined, inPlaceOf(at));
}

export const joinedCall = (node: Call): Expression => {
  const [a, b] = values(node);
  return a === undefined || b === undefined ? node : joined(a, b, node);
};

/** NULL is an element too. */
export const withElement =
  (place: "first" | "last") =>
  (node: Call): Expression => {
    const [a, b] = values(node);
    if (a === undefined || b === undefined) return node;
    const element = place === "first" ? a : b;
    const list = arrayOf(typeOrUnknown(node), element, [element]);
    return place === "first" ? joined(list, b, node) : joined(a, list, node);
  };

export function withoutElement(node: Call): Expression {
  const [, value] = values(node);
  if (value !== undefined && isNullable(value))
    throw unsupported("array_remove of a value that may be NULL", value.span);
  return node;
}

/** Elements of which every engine finds the same ones equal. */
const REPLACED: ReadonlySet<string> = new Set(["text", "integer", "boolean", "date", "uuid"]);

/** `array_replace` by a lambda of the target, which holds no query. A NULL is replaced like any other element. */
export const replacedElement =
  (lambda: Template) =>
  (node: Call): Expression => {
    const [array, ...others] = values(node);
    const type = array && typeOrUnknown(array);
    const isFlat = type?.kind === "array" && REPLACED.has(type.element.kind);
    const hasQuery = others.some((each) => someNode(each, ({ kind }) => kind === "query"));
    if (isFlat && !hasQuery) return spelled(lambda, values(node), node);
    throw unsupported("array_replace of these arguments", node.span, "Replace the elements in a subquery over unnest.");
  };

/** Tests every element of `contained`, none of which may be NULL. */
export function containment(node: Binary, contained: Expression, container: Expression): Expression {
  if (!isArray(node.left) || !isArray(node.right)) throw unsupported(`operator ${node.operator} over this`, node.span);
  if (contained.kind !== "array" || contained.elements.some(isNullable)) {
    throw unsupported("an array in another", node.span, "Write the contained one out: a @> ARRAY[1, 2].");
  }
  const rest = call("array_except", [contained, container], inPlaceOf(contained));
  return comparison(call("cardinality", [rest], typed(BIGINT, node)), "=", integer(0, node), node);
}

/** Only texts and integers: for other types the engines' texts differ from PostgreSQL's. */
export function text(node: Call): Expression {
  const [array, separator] = values(node);
  const type = array && typeOrUnknown(array);
  const kind = type?.kind === "array" ? type.element.kind : undefined;
  if (array === undefined || separator === undefined || !["text", "integer", "date", "null"].includes(kind ?? "")) {
    throw unsupported("the text of such an array", node.span, "Use string_agg.");
  }
  return call("array_join", values(node), inPlaceOf(node));
}

export function split(node: Call): Expression {
  const [value, separator, none] = values(node);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || none !== undefined) {
    throw unsupported("splitting a text by a computed separator", node.span, "Write the separator as a literal.");
  }
  const empty = arrayOf(TEXTS, node);
  const isEmpty = comparison(value, "=", { kind: "string", value: "", span: node.span, type: { kind: "text" } }, node);
  return when(isEmpty, empty, call("split", [value, separator], typed(TEXTS, node)), typed(TEXTS, node));
}
