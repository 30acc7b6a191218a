/** `mode() WITHIN GROUP (ORDER BY 'a')`: PostgreSQL knows no type of the constant, and DuckDB refuses one in ORDER BY. */
import { asTypedText } from "../syntax/build.ts";
import type { Call } from "../syntax/tree.ts";

export function ofSortedTexts(node: Call): Call {
  const withinGroup = node.withinGroup.map((item) => ({ ...item, expression: asTypedText(item.expression) }));
  return { ...node, withinGroup };
}
