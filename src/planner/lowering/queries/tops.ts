/**
 * LIMIT and OFFSET as TOP and OFFSET … FETCH. These require an ORDER BY, and a subquery may have an ORDER BY only together with
 * them.
 */
import { exactName, queryOf, selectItem, selectOf, star } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { DerivedTable, Expression, Query, QueryBody, SortItem, TableExpression } from "../../syntax/tree.ts";
import { NULL_TYPE } from "../../types.ts";

/** The lowered statement; limits of DISTINCT or a set operation are already in an outer query (`sorted-sets.ts`). */
export function withTops(statement: Query): Query {
  return transformQuery(statement, {
    query: (query) => {
      const { with: common } = query;
      const tables = common?.tables.map((table) => ({ ...table, query: unordered(table.query) }));
      return topped(tables === undefined ? query : { ...query, with: { recursive: false, ...common, tables } });
    },
    expression: (node) => ("query" in node && node.query !== undefined ? withUnordered(node, node.query) : node),
    table: (node) => (node.kind === "derived" ? withUnordered(node, node.query) : node),
    body: (node) => (node.kind === "nested" ? operandOf(unordered(node.query), node) : node),
  });
}

/** The order of a nested query's rows has no effect. */
function unordered(query: Query): Query {
  const isLimited = query.offset !== undefined || (query.body.kind === "select" && query.body.top !== undefined);
  return isLimited || query.orderBy.length === 0 ? query : { ...query, orderBy: [] };
}

function withUnordered<N extends Expression | TableExpression>(node: N, query: Query): N {
  const without = unordered(query);
  return without === query ? node : { ...node, query: without };
}

function topped(query: Query): Query {
  const { body, limit, offset, orderBy } = query;
  if (limit === undefined && offset === undefined) return query;
  if (body.kind !== "select") throw new TypeError(`a ${body.kind} is limited from outside`);
  // FETCH requires at least one row.
  const isNone = limit?.count.kind === "number" && /^0+$/.test(limit.count.text);
  if (limit !== undefined && (offset === undefined || isNone)) {
    return { ...query, body: { ...body, top: limit.count }, limit: undefined, offset: undefined };
  }
  return orderBy.length > 0 ? query : { ...query, orderBy: [anyOrder(query)] };
}

/** `(SELECT NULL)`: a constant would be a position. */
export function anyOrder({ span }: { readonly span: Query["span"] }): SortItem {
  const none: Expression = { kind: "null", span, type: NULL_TYPE };
  const query = queryOf(selectOf({ items: [selectItem(none, undefined, { span })] }, { span }));
  const expression: Expression = { kind: "scalar-query", query, span, type: NULL_TYPE };
  return { expression, direction: undefined, nulls: undefined, span };
}

const ALIAS = "_n";

/** An operand of a set operation cannot have its own ORDER BY. */
function operandOf(query: Query, node: QueryBody & { readonly kind: "nested" }): QueryBody {
  if (query.orderBy.length === 0) return { ...node, query };
  const alias = { name: exactName(ALIAS, node.span), columns: [] };
  const table: DerivedTable = { kind: "derived", query, lateral: false, alias, span: node.span };
  return selectOf({ items: [star(node)], from: [table] }, node);
}
