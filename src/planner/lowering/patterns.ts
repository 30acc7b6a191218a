/** Patterns that an optimiser tries on values of its statistics. */
import { isWellFormedPattern } from "../access/literals.ts";
import { queryOf, selectItem, selectOf } from "../syntax/build.ts";
import type { Expression, Like } from "../syntax/tree.ts";

/**
 * PostgreSQL estimates LIKE by matching the pattern with a column's most common values, hidden rows' included, before
 * anything runs: a pattern that ends in a lone escape then fails if one of them matches all before it. Of a subquery's value it
 * has no statistics. A pattern that is written out has been looked at (`binding/patterns.ts`); constants that the optimiser
 * computes have not.
 */
export function withoutStatistics(node: Like): Like {
  const { operand, pattern, escape } = node;
  if (isKnown(pattern, escape) || !isColumn(operand)) return node;
  return {
    ...node,
    operand: {
      kind: "scalar-query",
      query: queryOf(selectOf({ items: [selectItem(operand, undefined, operand)] }, operand)),
      span: operand.span,
    },
  };
}

function isKnown(pattern: Expression, escape: Expression | undefined): boolean {
  if (pattern.kind !== "string" || (escape !== undefined && escape.kind !== "string")) return false;
  return isWellFormedPattern(pattern.value, escape?.value ?? "\\");
}

/** Casts between kinds of text are looked through. */
function isColumn(expression: Expression): boolean {
  if (expression.kind === "cast" || expression.kind === "collate") return isColumn(expression.operand);
  return expression.kind === "bound";
}
