/** `varchar(n)` cuts a text that is longer, and says nothing; engines keep it whole, or raise. */

import { unsupported } from "../diagnostics.ts";
import { call, integer, typed } from "../syntax/build.ts";
import type { Cast, Expression } from "../syntax/tree.ts";
import { type SqlType, TEXT, typeOrUnknown } from "../types.ts";

/** Characters that the text of any value of a kind has; others have one. A date may be `infinity`. */
const SHORTEST: Partial<Record<SqlType["kind"], number>> = { boolean: 4, date: 8, time: 8, timestamp: 8, uuid: 36 };

/** The first characters of the text that is cast, as many as its type says. */
export function cutText(whole: Expression, node: Cast): Expression {
  const [length] = node.typeName.parameters;
  if (length === undefined) return whole;
  if (node.typeName.name === "char" && length > charactersOf(node.operand)) {
    // A result shows the blanks, and LIKE sees them; `=`, `||` and `length` do not.
    throw unsupported("a text filled up with blanks", node.span, `Write varchar(${length}).`);
  }
  return call("left", [whole, integer(length, node)], typed(TEXT, node));
}

/** At least. */
function charactersOf(operand: Expression): number {
  if (operand.kind === "string") return [...operand.value].length;
  const { kind } = typeOrUnknown(operand);
  if (kind === "null") return Number.POSITIVE_INFINITY;
  return kind === "text" || kind === "opaque" ? 0 : (SHORTEST[kind] ?? 1);
}
