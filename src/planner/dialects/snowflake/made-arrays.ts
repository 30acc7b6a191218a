/**
 * Arrays that an expression makes. Their elements are variants; an element that is NULL is a missing one, which GET gives as NULL and
 * ARRAY_COMPACT leaves out. https://docs.snowflake.com/en/sql-reference/functions/array_construct
 */

import { isNullable } from "../../binding/nullability.ts";
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { countOf } from "../../lowering/written-counts.ts";
import {
  call,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  logical,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Call, Expression, Slice, SortItem } from "../../syntax/tree.ts";
import { BIGINT, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { isArrayOf, isRepeatable, refused } from "./arrays.ts";

const TEXTS: SqlType = { kind: "array", element: TEXT };

const none = (type: SqlType, at: Expression): Expression => ({ kind: "array", elements: [], span: at.span, type });

/** An empty text has no parts: https://docs.snowflake.com/en/sql-reference/functions/split */
export function split(node: Call): Expression {
  const [value, separator, ...others] = values(node);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || others.length > 0) {
    throw unsupported("splitting a text by a computed separator", node.span, "Write the separator as a literal.");
  }
  return when(
    comparison(value, "=", text("", node), node),
    none(TEXTS, node),
    spelled(SPLIT, [value, separator], node),
    typed(TEXTS, node),
  );
}

const SPLIT = words("SPLIT($1, $2)", { type: TEXTS });

/** The text and the separator of `split`; `undefined` for other arrays. */
export function splitParts(array: Expression): readonly Expression[] | undefined {
  const { otherwise } = array.kind === "case" ? array : {};
  return otherwise !== undefined && isSpelled(otherwise, SPLIT) ? otherwise.parts : undefined;
}

// ------------------------------------------------------------------------------------------------------ of rows

/** `array_agg(x ORDER BY y)`, until nothing else asks for it (`collected`). NULLs are skipped (docs/spec/language.md). */
export function gathered(node: Call): Expression {
  if (node.over !== undefined) throw unsupported("array_agg over a window", node.span, "Group the rows in a subquery.");
  if (!isArrayOf(node, ["text", "integer", "boolean"])) throw refused(node);
  return node;
}

const isGathered = (node: Expression | undefined): node is Call =>
  node?.kind === "call" && node.name[0]?.name === "array_agg" && node.withinGroup.length === 0;

/** ARRAY_AGG, once it is written out. */
export const COLLECTED = "collected rows";

/** ARRAY_AGG of no values is an empty array: https://docs.snowflake.com/en/sql-reference/functions/array_agg */
export function collected(node: Expression): Expression {
  if (!isGathered(node)) return node;
  const [value] = values(node);
  if (value === undefined) return node;
  const count = call("count", [value], typed(BIGINT, node));
  const array = {
    ...call(COLLECTED, [value], inPlaceOf(node)),
    distinct: node.distinct,
    withinGroup: sortedBy(node, value),
  };
  return when(comparison(count, ">", integer(0, node), node), array, undefined, inPlaceOf(node));
}

/** Distinct values have the order of the values alone. */
function sortedBy({ distinct, orderBy, span }: Call, value: Expression): readonly SortItem[] {
  if (!distinct) return orderBy;
  // FILTER has become a CASE.
  const kept = value.kind === "case" && value.operand === undefined ? value.branches[0]?.then : undefined;
  for (const { expression } of orderBy) {
    if (sameExpression(expression, value) || (kept !== undefined && sameExpression(expression, kept))) continue;
    throw unsupported("DISTINCT beside an order by something else", span, "Make the rows distinct in a subquery.");
  }
  return orderBy.slice(0, 1).map((item) => ({ ...item, expression: value }));
}

// --------------------------------------------------------------------------------------------------- of other arrays

const JOINED = words("ARRAY_CAT($1, $2)");

/** A NULL array is joined as an empty one; two of them are NULL. */
function joined(left: Expression, right: Expression, at: Expression): Expression {
  const type = typeOrUnknown(at);
  const sides = [left, right].map((side): Expression => {
    if (typeOrUnknown(side).kind === "array") return side;
    return { kind: "array", elements: [side], span: side.span, type: { kind: "array", element: typeOrUnknown(side) } };
  });
  const [a, b] = sides;
  if (a === undefined || b === undefined || !sides.every((side) => isJoinable(side, type))) throw refused(at);
  const filled = sides.map((side) =>
    isNullable(side) ? call("coalesce", [side, none(type, at)], typed(type, at)) : side,
  );
  const both = spelled(JOINED, filled, at);
  if (!sides.every(isNullable)) return both;
  return when(logical("or", [isNull(a, true), isNull(b, true)], at), both, undefined, inPlaceOf(at));
}

function isJoinable(side: Expression, type: SqlType): boolean {
  const own = typeOrUnknown(side);
  if (own.kind !== "array" || type.kind !== "array" || !isRepeatable(side)) return false;
  const isEmpty = side.kind === "array" && side.elements.length === 0;
  return isArrayOf(side, ["text", "integer", "boolean"]) && (isEmpty || own.element.kind === type.element.kind);
}

export const joinedArrays = (node: Expression & { readonly kind: "binary" }): Expression =>
  joined(node.left, node.right, node);

/** `array_cat(a, b)`, and `array_append(a, x)` and `array_prepend(x, a)`, whose element may be a NULL. */
export function joinedCall(node: Call): Expression {
  const [a, b] = values(node);
  if (a === undefined || b === undefined) throw refused(node);
  return joined(a, b, node);
}

const PART = words("ARRAY_SLICE($1, $2, $3)");
const REST = words("ARRAY_SLICE($1, $2, GREATEST($2, ARRAY_SIZE($1)))");

/** The second number is that of the first element behind: https://docs.snowflake.com/en/sql-reference/functions/array_slice */
export function slice(node: Slice): Expression {
  const { operand, from, to } = node;
  const [first, last] = [from === undefined ? 1 : countOf(from), to === undefined ? undefined : countOf(to)];
  if (first === undefined || (to !== undefined && last === undefined)) {
    throw unsupported("a slice with computed bounds", node.span, "Write the bounds as literals.");
  }
  if (!isArrayOf(operand, ["text", "integer", "boolean"]) || !isRepeatable(operand)) throw refused(node);
  const start = Math.max(first, 1) - 1;
  if (last === undefined) return spelled(REST, [operand, integer(start, node)], node);
  return spelled(PART, [operand, integer(start, node), integer(Math.max(last, start), node)], node);
}
