/** Patterns that an optimiser tries on values of its statistics. */
import { isWellFormedPattern } from "../access/literals.ts";
import type { Expression, Like, Query } from "../syntax/tree.ts";

/**
 * PostgreSQL estimates LIKE by matching the pattern with a column's most common values, hidden rows' included, before
 * anything runs: a pattern that ends in a lone escape then fails if one of them matches all before it. Of a subquery's value it
 * has no statistics. A pattern that is written out has been looked at (`binding/patterns.ts`); constants that the optimiser
 * computes have not.
 */
export function withoutStatistics(node: Like): Like {
  const { operand, pattern, escape } = node;
  if (isKnown(pattern, escape) || !isColumn(operand)) return node;
  return { ...node, operand: { kind: "scalar-query", query: valueOf(operand), span: operand.span } };
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

/** `SELECT value` */
function valueOf(value: Expression): Query {
  const { span } = value;
  return {
    kind: "query",
    with: undefined,
    body: {
      kind: "select",
      distinct: undefined,
      items: [{ kind: "item", expression: value, alias: undefined, span }],
      from: [],
      where: undefined,
      groupBy: undefined,
      having: undefined,
      windows: [],
      qualify: undefined,
      span,
    },
    orderBy: [],
    limit: undefined,
    offset: undefined,
    span,
  };
}
