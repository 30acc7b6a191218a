/** `mode() WITHIN GROUP (ORDER BY 'a')`: the constant is untyped in PostgreSQL, and DuckDB refuses a constant in ORDER BY. */
import { asTypedText } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";

export function ofSortedTexts(node: Call): Call {
  const withinGroup = node.withinGroup.map((item) => ({ ...item, expression: asTypedText(item.expression) }));
  return { ...node, withinGroup };
}
