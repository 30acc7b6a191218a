/**
 * Moves subqueries out of aggregate arguments and grouping keys, which SQL Server (errors 130 and 144) and Oracle (ORA-22818)
 * reject. https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors-0-to-999
 */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import type { Expression, GroupingElement, Query } from "../../syntax/tree.ts";
import { someExpression, walk } from "../../syntax/walk.ts";

const HINT = "Compute it as a column of a derived table, and aggregate that.";

const isQuery = ({ kind }: Expression): boolean => ["scalar-query", "exists", "in-query", "quantified"].includes(kind);

/** `aggregates` are the aggregates that may not contain a subquery. */
export function refuseAggregatedQueries(statement: Query, aggregates: ReadonlySet<string> = new Set()): void {
  walk(statement, (node) => {
    if (
      node.kind === "call" &&
      aggregates.has(functionName(node)) &&
      node.arguments.some(({ value }) => holds(value))
    ) {
      throw unsupported("an aggregate over a subquery", node.span, HINT);
    }
    if (node.kind === "select" && node.groupBy?.some(isGroupedByQuery)) {
      throw unsupported("groups by a subquery", node.span, HINT);
    }
    return true;
  });
}

const holds = (value: Expression): boolean => someExpression(value, isQuery);

function isGroupedByQuery(element: GroupingElement): boolean {
  switch (element.kind) {
    case "expression":
      return holds(element.expression);
    case "keys":
      return element.expressions.some(holds);
    case "empty":
      return false;
    default:
      return element.elements.some(isGroupedByQuery);
  }
}
