/** Queries around the rows of a query, which is their only table. */
import { unsupported } from "../../diagnostics.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { columnOf, exactName, queryOf, selectItem, selectOf, typed } from "../../syntax/build.ts";
import type { Expression, Query, ScalarQuery, Span, TableExpression } from "../../syntax/tree.ts";
import { type SqlType, UNKNOWN } from "../../types.ts";

export const ROWS = "_q";

/** The rows of a query with something else for their columns. Throws UNSUPPORTED_ON_SOURCE where these have no names. */
export function columnsMapped(query: Query, map: (column: Expression, index: number) => Expression): Query {
  const columns = outputColumnsOf(query.body);
  if (columns.length === 0) throw unsupported("such a subquery", query.span);
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

/** An aggregate of the only column of a query of its own: of all its rows, or how many there are. */
export function ofColumn(
  query: Query,
  at: Expression,
  type: SqlType,
  of: (value: Expression) => Expression,
): ScalarQuery {
  const { span } = at;
  const [column] = outputColumnsOf(query.body);
  if (column === undefined) throw unsupported("such a subquery", span);
  const value = columnOf(ROWS, column.name, typed(column.type ?? UNKNOWN, at));
  const items = [selectItem(of(value), undefined, at)];
  return { kind: "scalar-query", query: queryOf(selectOf({ items, from: [rows(query, at)] }, at)), span, type };
}
