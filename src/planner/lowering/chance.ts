/**
 * Rewrites often repeat an operand. If it contains `random()`, each copy would have another value: the start of a text from one
 * draw, and its length from another.
 */
import { isRandom } from "../binding/volatility.ts";
import { unsupported } from "../diagnostics.ts";
import type { Expression, Query } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";

/**
 * Throws UNSUPPORTED_ON_SOURCE. A rewrite shares the nodes that it repeats, while binding creates a separate node for each
 * occurrence.
 */
export function refuseRepeatedChance(lowered: Query): void {
  const seen = new Set<Expression>();
  walk(lowered, (node) => {
    if (node.kind !== "call" || !isRandom(node)) return true;
    if (seen.has(node)) {
      throw unsupported("a rewrite that repeats a volatile value", node.span, "Compute it in a subquery first.");
    }
    seen.add(node);
    return true;
  });
}
