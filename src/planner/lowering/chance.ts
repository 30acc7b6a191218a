/**
 * Rewrites often repeat an operand. If it contains `random()`, each copy would have another value: the start of a text from one
 * draw, and its length from another.
 */
import { isRandom } from "../binding/volatility.ts";
import { type PlannerError, unsupported } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import type { Call, Expression, Query, Spelled } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";

/** The names that dialects give `random` and `gen_random_uuid`. */
const RENAMED: ReadonlySet<string> = new Set(["rand", "uuid", "newid", "a number by chance"]);

const isDrawn = (node: Call): boolean => isRandom(node) || RENAMED.has(functionName(node));

/**
 * Throws UNSUPPORTED_ON_SOURCE. A rewrite shares the nodes that it repeats, or names a part of a template again; binding creates a
 * separate node for each occurrence.
 */
export function refuseRepeatedChance(lowered: Query): void {
  const seen = new Set<Expression>();
  walk(lowered, (node) => {
    if (node.kind === "spelled") refuseRepeatedParts(node);
    if (node.kind !== "call" || !isDrawn(node)) return true;
    if (seen.has(node)) throw refusal(node);
    seen.add(node);
    return true;
  });
}

function refuseRepeatedParts({ template, parts }: Spelled): void {
  for (const place of template.repeated) {
    const part = parts[place];
    if (part === undefined) continue;
    walk(part, (node) => {
      if (node.kind === "call" && isDrawn(node)) throw refusal(node);
      return true;
    });
  }
}

const refusal = ({ span }: Expression): PlannerError =>
  unsupported("a rewrite that repeats a volatile value", span, "Compute it in a subquery first.");
