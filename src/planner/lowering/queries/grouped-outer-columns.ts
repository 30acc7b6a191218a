/**
 * Subqueries that name columns of the query around them after their rows are grouped: in a select list with aggregates, in GROUP BY, in an
 * aggregate of HAVING, or in ORDER BY. Some targets know the columns around a subquery only where its single rows are computed.
 */

import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import type { Expression, Query, SelectExpression } from "../../syntax/tree.ts";
import { groupedBy, type SyntaxNode, someExpression, someNode, walk } from "../../syntax/walk.ts";
import { outerColumns } from "./correlation.ts";
import { isAggregate } from "./lateral-parts.ts";

/** Throws UNSUPPORTED_ON_SOURCE if a subquery or a lateral table of the query does so. Each derived table is asked by itself. */
export function refuseGroupedOuterColumns(query: Query): void {
  walk(query, (node) => {
    if (node.kind === "query") return node === query;
    // A query of an array is refused by itself where this matters.
    if (node.kind === "array-query" || (node.kind === "derived" && !node.lateral)) return false;
    if ("query" in node && node.query !== undefined) refuseIn(node.query);
    return true;
  });
}

function refuseIn(query: Query): void {
  const outer = new Set<SyntaxNode>(outerColumns(query));
  if (outer.size === 0) return;
  walk(query, (node) => {
    const found =
      node.kind === "query" ? keysOf(node).find((each) => someNode(each, (part) => outer.has(part))) : undefined;
    if (found === undefined) return true;
    throw unsupported(
      "a column of the query around in an aggregate, a group or ORDER BY of a subquery",
      found.span,
      "Compute it in WHERE, or join the tables.",
    );
  });
}

/** Values that are computed of groups, or sort the rows. A sort key that is a column of the select list is sent as its position. */
function keysOf({ body, orderBy }: Query): readonly Expression[] {
  const sorted = orderBy.map(({ expression }) => expression);
  if (body.kind !== "select") return sorted;
  const { groupBy, having } = body;
  const items = body.items.filter((item): item is SelectExpression => item.kind === "item");
  const values = items.map(({ expression }) => expression);
  const isGrouped = groupBy !== undefined || having !== undefined || values.some(holdsAggregate);
  if (!isGrouped) return sorted.filter((key) => !values.some((value) => sameExpression(key, value)));
  return [...sorted, ...values, ...(groupBy ?? []).flatMap(groupedBy), ...aggregatesIn(having)];
}

const holdsAggregate = (value: Expression): boolean => someExpression(value, isAggregate);

function aggregatesIn(having: Expression | undefined): readonly Expression[] {
  const found: Expression[] = [];
  if (having === undefined) return found;
  walk(having, (node) => {
    if (node.kind !== "call" || !isAggregate(node)) return true;
    found.push(node);
    return false;
  });
  return found;
}
