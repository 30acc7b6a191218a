/** Wraps a query as a derived table. */
import { unsupported } from "../../diagnostics.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { columnOf, exactName, queryOf, selectItem, selectOf, typed } from "../../syntax/build.ts";
import type { Expression, Query, ScalarQuery, Span, TableExpression } from "../../syntax/tree.ts";
import { type SqlType, UNKNOWN } from "../../types.ts";

export const ROWS = "_q";

/** The rows of a query with its columns mapped. Throws UNSUPPORTED_ON_SOURCE if a column has no name. */
export function columnsMapped(query: Query, map: (column: Expression, index: number) => Expression): Query {
  const columns = outputColumnsOf(query.body);
  if (columns.length === 0) throw unsupported("a subquery of that form", query.span);
  let isSame = true;
  const items = columns.map(({ name, type }, index) => {
    const column = columnOf(ROWS, name, typed(type ?? UNKNOWN, query));
    const value = map(column, index);
    isSame &&= value === column;
    return selectItem(value, exactName(name, query.span), query);
  });
  return isSame ? query : queryOf(selectOf({ items, from: [rows(query, query)] }, query));
}

export const rows = (query: Query, { span }: { readonly span: Span }): TableExpression => ({
  kind: "derived",
  query,
  lateral: false,
  alias: { name: exactName(ROWS, span), columns: [] },
  span,
});

/** A query of its own that aggregates the only column of the given query: over all its rows, or their count. */
export function ofColumn(
  query: Query,
  at: Expression,
  type: SqlType,
  of: (value: Expression) => Expression,
): ScalarQuery {
  const { span } = at;
  const [column] = outputColumnsOf(query.body);
  if (column === undefined) throw unsupported("a subquery of that form", span);
  const value = columnOf(ROWS, column.name, typed(column.type ?? UNKNOWN, at));
  const items = [selectItem(of(value), undefined, at)];
  return { kind: "scalar-query", query: queryOf(selectOf({ items, from: [rows(query, at)] }, at)), span, type };
}
