/** LIKE, which has no ESCAPE there: a backslash escapes. */
import { unsupported } from "../../diagnostics.ts";
import { patternOf } from "../../lowering/patterns/like-patterns.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Expression, Like } from "../../syntax/tree.ts";

/** `patternOf` writes `|` for the escape character, where there is one. */
function withBackslashes(pattern: string): string {
  return pattern.replace(/\|(.)|\\/gs, (all, escaped?: string) => {
    if (escaped === undefined) return `${all}\\`;
    return /[%_\\]/.test(escaped) ? `\\${escaped}` : escaped;
  });
}

/** ILIKE as LIKE of both sides in lower case. */
export function likeOf(node: Like): Like {
  if (node.pattern.kind !== "string")
    throw unsupported("LIKE with a computed pattern", node.pattern.span, "Use position(… IN …) > 0.");
  const { pattern, escape } = patternOf(node);
  if (pattern.kind !== "string") throw new TypeError("a literal pattern stays one");
  const own = { ...pattern, value: escape === undefined ? pattern.value : withBackslashes(pattern.value) };
  if (node.operator === "like") return { ...node, pattern: own, escape: undefined };
  const lower = (value: Expression): Expression => call("lower", [value], inPlaceOf(value));
  return { ...node, operator: "like", operand: lower(node.operand), pattern: lower(own), escape: undefined };
}
