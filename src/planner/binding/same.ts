/** Structural equality of bound expressions, spans apart: what GROUP BY, DISTINCT and ORDER BY compare by. */
import type { Expression } from "../syntax/tree.ts";

export function sameExpression(a: Expression, b: Expression): boolean {
  return a === b || sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    );
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if (left["kind"] !== right["kind"]) return false;
  for (const key in left) {
    // A column is its identity; where it stands and how it was quoted make no difference.
    if (key === "span" || key === "type" || key === "quoted") continue;
    if (key === "column" && left["kind"] === "bound") {
      if (left[key] !== right[key]) return false;
    } else if (!sameValue(left[key], right[key])) return false;
  }
  return true;
}
