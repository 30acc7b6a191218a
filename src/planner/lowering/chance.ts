/**
 * What a target lacks is often said with an operand written several times. Where that holds `random()`, each of them would
 * be another value: the start of a text by one draw, and its length by another.
 */
import { isRandom } from "../binding/volatility.ts";
import { unsupported } from "../diagnostics.ts";
import type { Expression, Query } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";

/** Throws UNSUPPORTED_ON_SOURCE. Rewrites share the nodes that they repeat, and binding gives each its own. */
export function refuseRepeatedChance(lowered: Query): void {
  const seen = new Set<Expression>();
  walk(lowered, (node) => {
    if (node.kind !== "call" || !isRandom(node)) return true;
    if (seen.has(node)) {
      throw unsupported("this of a value that is another at every look", node.span, "Compute it in a subquery first.");
    }
    seen.add(node);
    return true;
  });
}
