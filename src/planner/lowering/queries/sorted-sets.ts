/** ORDER BY after a set operation, one query further out, where its keys are columns and no longer positions. */
import { ListedRelation } from "../../binding/relation.ts";
import { exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import type { BoundColumn, DerivedTable, Query, SortItem } from "../../syntax/tree.ts";
import { UNKNOWN } from "../../types.ts";
import { outputColumnsOf } from "./output-columns.ts";

/** The same query; `alias` names what no other table is called. */
export function sortedOutside(query: Query, alias: () => string): Query {
  const { body, orderBy, span } = query;
  if (body.kind === "select" || orderBy.length === 0) return query;
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
  const sorted = orderBy.map((item): SortItem => {
    const column = item.expression.kind === "number" ? columns[Number(item.expression.text) - 1] : undefined;
    return column === undefined ? item : { ...item, expression: { ...column, span: item.span } };
  });
  return { ...query, body: selectOf({ items, from: [table] }, { span }), orderBy: sorted };
}
