/** Aggregates of an outer query within a subquery. MariaDB assigns some of them to the subquery, and returns another value. */
import { CubeRelation } from "../../binding/cube-relation.ts";
import { type RelationColumn, relationColumn } from "../../binding/relation.ts";
import type { Scope } from "../../binding/scope.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import type { Call, Query, Select } from "../../syntax/tree.ts";
import { type SyntaxNode, someChild, someExpression, walk } from "../../syntax/walk.ts";

/**
 * Throws UNSUPPORTED_ON_SOURCE for an aggregate over tables other than its own SELECT's; `levels` are the bound SELECTs of
 * `query`.
 */
export function refuseOuterAggregates(query: Query, levels: ReadonlyMap<Select, Scope>): void {
  if (![...levels.values()].some(seesOthers)) return;
  walk(query, (node) => {
    if (node.kind === "select") refuseInside([node], levels.get(node));
    // Sort keys of a SELECT may contain aggregates, as its items do.
    if (node.kind === "query" && node.body.kind === "select") {
      refuseInside(
        node.orderBy.map(({ expression }) => expression),
        levels.get(node.body),
      );
    }
    return true;
  });
}

/** Whether an enclosing query has tables. */
function seesOthers({ parent }: Scope): boolean {
  return parent !== undefined && (parent.namespace.relations.length > 0 || seesOthers(parent));
}

/** `nodes` belong to one SELECT; queries in them are separate SELECTs. */
function refuseInside(nodes: readonly SyntaxNode[], scope: Scope | undefined): void {
  if (scope === undefined || !seesOthers(scope)) return;
  // Members of a cube are computed from columns of its base.
  const own = new Set<unknown>(
    scope.namespace.relations.flatMap((each) => (each instanceof CubeRelation ? [each, each.base.relation] : [each])),
  );
  const visit = (node: SyntaxNode): boolean => {
    if (node.kind === "query") return false;
    if (node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)))) refuseOther(node, own);
    return someChild(node, visit);
  };
  nodes.some(visit);
}

function refuseOther(node: Call, own: ReadonlySet<unknown>): void {
  const columns: RelationColumn[] = [];
  someExpression(node, (each) => {
    if (each.kind === "bound") columns.push(relationColumn(each));
    return false;
  });
  if (columns.length === 0 || columns.some(({ relation }) => own.has(relation))) return;
  throw unsupported("an aggregate of the query around a subquery", node.span, "Compute it in a derived table first.");
}
