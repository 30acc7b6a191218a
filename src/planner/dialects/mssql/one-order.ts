/**
 * Texts joined and arrays collected of one group's rows have one order: another beside it is error 8711.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/string-agg-transact-sql
 */
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import type { Call, Query, Select, SortItem } from "../../syntax/tree.ts";
import { type SyntaxNode, walk } from "../../syntax/walk.ts";

const isQuery = ({ kind }: SyntaxNode): boolean => kind === "query";

export function refuseOrders(statement: Query): void {
  walk(statement, (node) => {
    if (node.kind === "select") refuseOrdersOf(node);
    return true;
  });
}

const orderOf = ({ name: [name], orderBy, withinGroup }: Call): readonly SortItem[] =>
  name?.name === "array_agg" ? orderBy : name?.name === "string_agg" ? withinGroup : [];

function refuseOrdersOf(select: Select): void {
  let found: readonly SortItem[] | undefined;
  walk(select, (node) => {
    if (node !== select && isQuery(node)) return false;
    if (node.kind !== "call") return true;
    const order = orderOf(node);
    if (order.length === 0) return true;
    found ??= order;
    if (!isSameOrder(found, order))
      throw unsupported("several orders of rows that are joined or collected", node.span, HINT);
    return true;
  });
}

const HINT = "Join or collect each order in a query of its own.";

const isSameOrder = (a: readonly SortItem[], b: readonly SortItem[]): boolean =>
  a.length === b.length && a.every((item, index) => isSameItem(item, b[index] ?? item));

const isSameItem = (a: SortItem, b: SortItem): boolean =>
  a.direction === b.direction && a.nulls === b.nulls && sameExpression(a.expression, b.expression);
