/** A cast to `varchar(n)` silently truncates a longer text; some engines keep the whole text, or raise. */

import { unsupported } from "../../diagnostics.ts";
import { call, integer, typed } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { type SqlType, TEXT, typeOrUnknown } from "../../types.ts";

/** Minimum length of the text of any value of a kind; 1 for all other kinds. A date may be `infinity`. */
const SHORTEST: Partial<Record<SqlType["kind"], number>> = { boolean: 4, date: 8, time: 8, timestamp: 8, uuid: 36 };

/** The first characters of the cast text, up to the length of its type. */
export function cutText(whole: Expression, node: Cast): Expression {
  const [length] = node.typeName.parameters;
  if (length === undefined) return whole;
  if (node.typeName.name === "char" && length > charactersOf(node.operand)) {
    // Results and LIKE include the padding blanks; `=`, `||` and `length` do not.
    throw unsupported("a text filled up with blanks", node.span, `Write varchar(${length}).`);
  }
  return call("left", [whole, integer(length, node)], typed(TEXT, node));
}

/** The minimum length of the operand's text. */
function charactersOf(operand: Expression): number {
  if (operand.kind === "string") return [...operand.value].length;
  const { kind } = typeOrUnknown(operand);
  if (kind === "null") return Number.POSITIVE_INFINITY;
  return kind === "text" || kind === "opaque" ? 0 : (SHORTEST[kind] ?? 1);
}
