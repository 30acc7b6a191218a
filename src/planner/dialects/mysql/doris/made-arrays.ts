/**
 * Arrays that an expression makes, of texts, whole numbers and booleans.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array
 */
import { isNullable } from "../../../binding/nullability.ts";
import { unsupported } from "../../../diagnostics.ts";
import {
  collectedOrder,
  elementTypeOf,
  emptyArray,
  isArrayOf,
  isCollected,
  joinedArrays,
  placesOf,
} from "../../../lowering/arrays/array-values.ts";
import { isSpelled, spelled, words } from "../../../lowering/templates/template.ts";
import { call, comparison, inPlaceOf, integer, text, typed, values, when } from "../../../syntax/build.ts";
import type { Binary, Call, Expression, Slice, SortItem, Template } from "../../../syntax/tree.ts";
import type { SyntaxNode } from "../../../syntax/walk.ts";
import { BIGINT, type SqlType, TEXT, typeOrUnknown } from "../../../types.ts";
import { refused } from "./arrays.ts";
import { textOf } from "./casts.ts";

export const MADE = ["text", "integer", "boolean"] as const;
const TEXTS: SqlType = { kind: "array", element: TEXT };

/** An empty text has one part there: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/split-by-string */
export function split(node: Call): Expression {
  const [value, separator, ...others] = values(node);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || others.length > 0) {
    throw unsupported("splitting a text by a computed separator", node.span, "Write the separator as a literal.");
  }
  return when(
    comparison(value, "=", text("", node), node),
    emptyArray(TEXTS, node),
    spelled(SPLIT, [value, separator], node),
    typed(TEXTS, node),
  );
}

const SPLIT = words("SPLIT_BY_STRING($1, $2)", { type: TEXTS });
const SPLIT_ROWS = words("SPLIT_BY_STRING(NULLIF($1, ''), $2)", { type: TEXTS });

/** The array as one of rows, where NULL and no element are the same. */
export function asRows(array: Expression): Expression {
  const { otherwise } = array.kind === "case" ? array : {};
  return otherwise !== undefined && isSpelled(otherwise, SPLIT) ? spelled(SPLIT_ROWS, otherwise.parts, array) : array;
}

// ------------------------------------------------------------------------------------------------------ of rows

/** `array_agg(x ORDER BY y)`, until the statement is done (`collected`). NULLs are skipped (docs/spec/language.md). */
export function gathered(node: Call): Expression {
  if (node.over !== undefined) throw unsupported("array_agg over a window", node.span, "Group the rows in a subquery.");
  if (!isArrayOf(node, MADE)) throw refused(node);
  return node;
}

const isGathered = (node: SyntaxNode): node is Call => node.kind === "call" && node.name[0]?.name === "array_agg";

/**
 * Collected values have no order: they are sorted by themselves, or cut out of a text that is joined in the order that is asked for.
 * Of no values the array is empty. https://doris.apache.org/docs/dev/sql-manual/sql-functions/aggregate-functions/collect-list
 */
export function collected(node: Expression): Expression {
  if (!isGathered(node)) return node;
  const [value] = values(node);
  if (value === undefined) return node;
  const count = call("count", [value], typed(BIGINT, node));
  const there = comparison(count, ">", integer(0, node), node);
  return when(there, inOrder(node, value), undefined, inPlaceOf(node));
}

function inOrder(node: Call, value: Expression): Expression {
  const place = inPlaceOf(node);
  const order = collectedOrder(node, value);
  const [first, ...others] = order;
  const rows = call(node.distinct ? "collect_set" : "collect_list", [value], place);
  if (first === undefined) return node.distinct ? call("array_sort", [rows], place) : rows;
  if (others.length === 0 && isCollected(first.expression, value)) {
    return call(first.direction === "desc" ? "array_reverse_sort" : "array_sort", [rows], place);
  }
  return cutOut(value, order, node);
}

/** An array must not be NULL: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array-map */
const TEXTS_OF = words("ARRAY_MAP(_e -> SUBSTRING(UNHEX(_e), 2), SPLIT_BY_STRING(COALESCE($1, ''), ','))", {
  type: TEXTS,
});
const NUMBERS_OF = words("CAST(SPLIT_BY_STRING($1, ',') AS ARRAY<BIGINT>)");
/** Digits hold no comma; what stands before a text makes that of an empty one. */
const DIGITS = words("HEX(CONCAT('x', $1))", { type: TEXT });

function cutOut(value: Expression, order: readonly SortItem[], node: Call): Expression {
  const ways: Readonly<Record<string, readonly [shown: Expression, template: Template]>> = {
    text: [spelled(DIGITS, [value], value), TEXTS_OF],
    integer: [textOf(value, value), NUMBERS_OF],
  };
  const way = ways[elementTypeOf(node).kind];
  if (way === undefined) throw unsupported("array_agg in the order of other values", node.span);
  const [shown, template] = way;
  const joined: Call = { ...call("group_concat", [shown, text(",", node)], typed(TEXT, node)), orderBy: order };
  return spelled(template, [joined], inPlaceOf(node));
}

// --------------------------------------------------------------------------------------------------- of other arrays

const JOINED = words("ARRAY_CONCAT($1, $2)");

const joined = (left: Expression, right: Expression, at: Expression): Expression =>
  joinedArrays({ kinds: MADE, both: (a, b) => spelled(JOINED, [a, b], at), refused }, left, right, at);

export const joinedOperands = (node: Binary): Expression => joined(node.left, node.right, node);

/** `array_cat(a, b)`, and `array_append(a, x)` and `array_prepend(x, a)`, whose element may be a NULL. */
export function joinedCall(node: Call): Expression {
  const [a, b] = values(node);
  if (a === undefined || b === undefined) throw refused(node);
  return joined(a, b, node);
}

const WITHOUT = words("ARRAY_REMOVE($1, $2)");

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array-remove */
export function withoutElement(node: Call): Expression {
  const [array, value] = values(node);
  if (array === undefined || value === undefined) throw refused(node);
  if (isNullable(value)) throw unsupported("array_remove of a value that may be NULL", value.span);
  const { kind } = typeOrUnknown(value);
  if ((kind !== "text" && kind !== "integer") || !isArrayOf(array, [kind])) throw refused(node);
  return spelled(WITHOUT, [array, value], inPlaceOf(node));
}

const PART = words("ARRAY_SLICE($1, $2, $3)");
const REST = words("ARRAY_SLICE($1, $2)");

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array-slice */
export function slice(node: Slice): Expression {
  const { operand } = node;
  const [first, last] = placesOf(node);
  if (!isArrayOf(operand, MADE)) throw refused(node);
  if (last === undefined) return spelled(REST, [operand, integer(first, node)], node);
  return spelled(PART, [operand, integer(first, node), integer(Math.max(last - first + 1, 0), node)], node);
}
