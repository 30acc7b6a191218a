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
import { type ChildMapper, children, expressionsOnly, mapBody, mapTable, walk } from "../../syntax/walk.ts";

/** Throws UNSUPPORTED_ON_SOURCE for an aggregate over other tables than its own SELECT's; `levels` are the bound SELECTs of `query`. */
export function refuseOuterAggregates(query: Query, levels: ReadonlyMap<Select, Scope>): void {
  walk(query, (node) => {
    if (node.kind === "select") checkClauses(node, levels.get(node));
    // What sorts the rows of a SELECT may aggregate as its items do.
    if (node.kind === "query" && node.body.kind === "select") {
      const check = checkOf(levels.get(node.body));
      for (const { expression } of node.orderBy) check(expression);
    }
    return true;
  });
}

function checkClauses(select: Select, scope: Scope | undefined): void {
  const expression = checkOf(scope);
  const mapper: ChildMapper = {
    ...expressionsOnly(expression),
    item: (item) => {
      if (item.kind === "item") expression(item.expression);
      return item;
    },
    // Conditions of joins and arguments of functions; queries are SELECTs of their own.
    table: (table) => mapTable(table, mapper),
  };
  mapBody(select, mapper);
}

/** Of the expressions of one SELECT: what it gets it gives back. */
function checkOf(scope: Scope | undefined): (expression: Expression) => Expression {
  if (scope === undefined) return (expression) => expression;
  // Members of a cube are made of columns of its base.
  const own = new Set<unknown>(
    scope.namespace.relations.flatMap((each) => (each instanceof CubeRelation ? [each, each.base.relation] : [each])),
  );
  const visit = (node: Expression): Expression => {
    if (node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)))) refuseOther(node, own);
    for (const child of children(node)) visit(child);
    return node;
  };
  return visit;
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
