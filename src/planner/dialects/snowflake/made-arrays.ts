/**
 * Arrays that an expression makes. Their elements are variants; an element that is NULL is a missing one, which GET gives as NULL and
 * ARRAY_COMPACT leaves out. https://docs.snowflake.com/en/sql-reference/functions/array_construct
 */

import { unsupported } from "../../diagnostics.ts";
import {
  collectedOrder,
  emptyArray,
  isArrayOf,
  isRepeatable,
  joinedArrays,
  placesOf,
} from "../../lowering/arrays/array-values.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { call, comparison, inPlaceOf, integer, text, typed, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Slice } from "../../syntax/tree.ts";
import { BIGINT, type SqlType, TEXT } from "../../types.ts";
import { refused } from "./arrays.ts";

const KINDS = ["text", "integer", "boolean"] as const;
const TEXTS: SqlType = { kind: "array", element: TEXT };

/** An empty text has no parts: https://docs.snowflake.com/en/sql-reference/functions/split */
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
  if (!isArrayOf(node, KINDS)) throw refused(node);
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
    withinGroup: collectedOrder(node, value),
  };
  return when(comparison(count, ">", integer(0, node), node), array, undefined, inPlaceOf(node));
}

// --------------------------------------------------------------------------------------------------- of other arrays

const JOINED = words("ARRAY_CAT($1, $2)");

const joined = (left: Expression, right: Expression, at: Expression): Expression =>
  joinedArrays({ kinds: KINDS, both: (a, b) => spelled(JOINED, [a, b], at), refused }, left, right, at);

export const joinedOperands = (node: Binary): Expression => joined(node.left, node.right, node);

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
  const { operand } = node;
  const [first, last] = placesOf(node);
  if (!isArrayOf(operand, KINDS) || !isRepeatable(operand)) throw refused(node);
  const start = first - 1;
  if (last === undefined) return spelled(REST, [operand, integer(start, node)], node);
  return spelled(PART, [operand, integer(start, node), integer(Math.max(last, start), node)], node);
}
