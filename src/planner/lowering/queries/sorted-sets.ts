/**
 * Moves ORDER BY and LIMIT after DISTINCT and set operations to an outer query, where the keys are columns: positions cannot
 * order NULLs, and MariaDB sorts the result of DISTINCT by expressions of an arbitrary source row.
 */

import { ListedRelation } from "../../binding/relation.ts";
import { ExpressionMap } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import type { BoundColumn, DerivedTable, Expression, Query, QueryBody, Select, SortItem } from "../../syntax/tree.ts";
import { UNKNOWN } from "../../types.ts";
import { outputColumnsOf } from "./output-columns.ts";

/** The same query; `alias` returns an unused table name. `always`: for any sort keys. */
export function sortedOutside(query: Query, alias: () => string, always: boolean): Query {
  const { body, orderBy, span } = query;
  if (body.kind === "select" && !always && !sortsRemains(body, orderBy)) return query;
  const relation = new ListedRelation(alias(), []);
  const columns = outputColumnsOf(body).map(({ name, type = UNKNOWN }): BoundColumn => {
    const column = relation.add({
      name,
      type,
      notNull: false,
      printedName: name,
      origins: [],
      implicitName: undefined,
    });
    return { kind: "bound", column, span, type };
  });
  const table: DerivedTable = {
    kind: "derived",
    query: queryOf(body),
    lateral: false,
    alias: { name: exactName(relation.printedAlias, span), columns: [] },
    span,
  };
  const items = columns.map((column) => selectItem(column, exactName(column.column.printedName, span), { span }));
  const positionOf = positionsIn(body);
  const sorted = orderBy.map((item): SortItem => {
    const column = columns[positionOf(item.expression)];
    if (column !== undefined) return { ...item, expression: { ...column, span: item.span } };
    if (body.kind !== "select" || body.distinct !== undefined) return item;
    throw unsupported("a sort key beside a subquery that is one", item.span, "Select it, too.");
  });
  return { ...query, body: selectOf({ items, from: [table] }, { span }), orderBy: sorted };
}

/** Plain columns can be sorted in place; for a reference in a subquery a derived table might be one level too many. */
function sortsRemains({ distinct }: Select, orderBy: readonly SortItem[]): boolean {
  const isColumn = ({ expression }: SortItem): boolean =>
    expression.kind === "bound" && expression.type?.kind !== "text";
  return distinct !== undefined && !orderBy.every(isColumn);
}

/** Finds a key among the body's columns; DISTINCT requires sort keys to be selected. */
function positionsIn(body: QueryBody): (expression: Expression) => number {
  const positions = new ExpressionMap<number>();
  for (const [index, item] of body.kind === "select" ? body.items.entries() : []) {
    if (item.kind === "item") positions.add(item.expression, index);
  }
  return (expression) =>
    expression.kind === "number" ? Number(expression.text) - 1 : (positions.get(expression) ?? -1);
}
