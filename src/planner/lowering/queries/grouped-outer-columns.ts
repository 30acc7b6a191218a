/**
 * Subqueries with outer columns that are used after rows are grouped or while they are sorted: in a select list with aggregates, in GROUP BY, in
 * an aggregate of HAVING, or in ORDER BY. Some targets support outer columns only where single rows are computed.
 */

import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import type { Expression, Query } from "../../syntax/tree.ts";
import { groupedBy, type SyntaxNode, someNode, walk } from "../../syntax/walk.ts";
import { outerColumns } from "./correlation.ts";
import { computesGroups, isAggregate } from "./lateral-parts.ts";

/**
 * Throws UNSUPPORTED_ON_SOURCE for such a subquery or lateral table of the query itself. The queries of its other derived tables are asked
 * by their own call.
 */
export function refuseGroupedOuterColumns(query: Query): void {
  walk(query, (node) => {
    if (node.kind === "query") return node === query;
    if (node.kind === "derived" && !node.lateral) return false;
    if ("query" in node && node.query !== undefined) refuseIn(node.query);
    return true;
  });
}

function refuseIn(query: Query): void {
  const outer = new Set<SyntaxNode>(outerColumns(query));
  if (outer.size === 0) return;
  const namesOuter = (each: SyntaxNode): boolean => someNode(each, (part) => outer.has(part));
  walk(query, (node) => {
    const found = node.kind === "query" ? groupedOrSorted(node).find(namesOuter) : undefined;
    if (found === undefined) return true;
    throw unsupported(
      "an outer column in an aggregate, GROUP BY or ORDER BY of a subquery",
      found.span,
      "Compute it in WHERE, or join the tables.",
    );
  });
}

/** Values that are computed of groups, and sort keys. A sort key that is selected is sent as its position. */
function groupedOrSorted({ body, orderBy }: Query): readonly Expression[] {
  const keys = orderBy.map(({ expression }) => expression);
  if (body.kind !== "select") return keys;
  const values = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  if (!computesGroups(body, orderBy)) return keys.filter((key) => !values.some((value) => sameExpression(key, value)));
  return [...keys, ...values, ...(body.groupBy ?? []).flatMap(groupedBy), ...aggregatesIn(body.having)];
}

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
