/** Patterns that an optimiser tries on values of its statistics. */
import { isWellFormedPattern } from "../../access/literals.ts";
import { binary, queryOf, selectItem, selectOf, text } from "../../syntax/build.ts";
import type { BinaryOperator, Expression, Like } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";

const REGULAR: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["~", "~*", "!~", "!~*"]);

/**
 * PostgreSQL estimates LIKE by matching the pattern with a column's most common values, hidden rows' included, before
 * anything runs: a pattern that ends in a lone escape then fails if one of them matches all before it. It does so wherever
 * the pattern comes to a constant and the operand to something that it has statistics of, both after its own folding
 * (`CASE WHEN true THEN note END`, an index over `lower(note)`), which nobody can foresee. What a subquery gives is never a
 * constant, so nothing is tried. A pattern that is written out has been looked at (`binding/patterns.ts`).
 */
export function withoutStatistics(node: Expression): Expression {
  if (node.kind === "like") return isKnown(node) ? node : { ...node, pattern: unfolded(node.pattern) };
  if (node.kind !== "binary" || !REGULAR.has(node.operator) || node.right.kind === "string") return node;
  return { ...node, right: unfolded(node.right) };
}

function isKnown({ pattern, escape }: Like): boolean {
  if (pattern.kind !== "string" || (escape !== undefined && escape.kind !== "string")) return false;
  return isWellFormedPattern(pattern.value, escape?.value ?? "\\");
}

/** The subquery names nothing: it stands beside aggregates, windows and grouped expressions alike. */
function unfolded(pattern: Expression): Expression {
  const nothing: Expression = {
    kind: "scalar-query",
    query: queryOf(selectOf({ items: [selectItem(text("", pattern), undefined, pattern)] }, pattern)),
    span: pattern.span,
    type: TEXT,
  };
  return binary(pattern, "||", nothing, { span: pattern.span, type: TEXT });
}
