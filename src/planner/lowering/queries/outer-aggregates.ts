/**
 * Aggregates of the query around, inside a subquery. MariaDB takes some of them for the subquery's own, and gives another value.
 */
import { CubeRelation } from "../../binding/cube-relation.ts";
import { type RelationColumn, relationColumn } from "../../binding/relation.ts";
import type { Scope } from "../../binding/scope.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import type { Call, Expression, Query, Select } from "../../syntax/tree.ts";
import { children, expressionsOnly, mapBody, walk } from "../../syntax/walk.ts";

/** Throws UNSUPPORTED_ON_SOURCE for an aggregate over other tables than its own SELECT's; `levels` are the bound SELECTs of `query`. */
export function refuseOuterAggregates(query: Query, levels: ReadonlyMap<Select, Scope>): void {
  walk(query, (node) => {
    const scope = node.kind === "select" ? levels.get(node) : undefined;
    if (node.kind === "select" && scope !== undefined) checkLevel(node, scope);
    return true;
  });
}

function checkLevel(select: Select, { namespace }: Scope): void {
  // Members of a cube are made of columns of its base.
  const own = new Set<unknown>(
    namespace.relations.flatMap((each) => (each instanceof CubeRelation ? [each, each.base.relation] : [each])),
  );
  const visit = (node: Expression): Expression => {
    if (node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)))) refuseOther(node, own);
    for (const child of children(node)) visit(child);
    return node;
  };
  mapBody(
    { ...select, from: [] },
    {
      ...expressionsOnly(visit),
      item: (item) => {
        if (item.kind === "item") visit(item.expression);
        return item;
      },
    },
  );
}

function refuseOther(node: Call, own: ReadonlySet<unknown>): void {
  const columns: RelationColumn[] = [];
  const collect = (each: Expression): void => {
    if (each.kind === "bound") columns.push(relationColumn(each));
    for (const child of children(each)) collect(child);
  };
  collect(node);
  if (columns.length === 0 || columns.some(({ relation }) => own.has(relation))) return;
  throw unsupported("an aggregate of the query around a subquery", node.span, "Compute it in a derived table first.");
}
