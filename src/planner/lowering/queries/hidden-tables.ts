/**
 * For engines where a column of the query hides a table of the same name in ORDER BY, or in GROUP BY and HAVING too:
 * `SELECT count(*) AS orders FROM orders ORDER BY min(orders.price)` asks for a member of the count there. The SELECT becomes a
 * derived table whose columns have names that no table has, and the sort keys become columns of it.
 */

import { ListedRelation } from "../../binding/relation.ts";
import { sameExpression } from "../../binding/same.ts";
import { exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import type {
  BoundColumn,
  DerivedTable,
  Expression,
  Query,
  Select,
  SelectExpression,
  SortItem,
} from "../../syntax/tree.ts";
import { someNode } from "../../syntax/walk.ts";
import { typeOrUnknown } from "../../types.ts";
import type { Grammar } from "../grammar.ts";
import { isCorrelated } from "./correlation.ts";
import { aliasesIn } from "./lateral-parts.ts";
import { outputColumnsOf } from "./output-columns.ts";

/** Whether an expression names a table that a column of the SELECT hides. */
export function hiddenBy(body: Select): (expression: Expression) => boolean {
  const names = new Set(outputColumnsOf(body).map(({ name }) => name.toLowerCase()));
  return (expression) =>
    someNode(expression, (node) => node.kind === "bound" && names.has(node.column.relation.printedAlias.toLowerCase()));
}

/** The query as it is if nothing in it is hidden, or if it names columns of a query around it, which would be one level further out. */
export function withTablesApart(
  query: Query,
  hides: Grammar["columnsHideTables"],
  fresh: (prefix: string) => string,
): Query {
  const { body, orderBy, span } = query;
  if (hides === "nowhere" || body.kind !== "select" || body.distinct !== undefined) return query;
  const isGrouped = hides !== "in sort keys" && (body.groupBy !== undefined || body.having !== undefined);
  if (orderBy.length === 0 && !isGrouped) return query;
  const names = outputColumnsOf(body);
  if (!body.from.some((table) => aliasesIn(table).some((alias) => isName(names, alias)))) return query;
  const items = body.items.filter((item) => item.kind === "item");
  if (names.length !== body.items.length || !isHidden(body, items, orderBy, hides) || isCorrelated(query)) return query;
  const relation = new ListedRelation(fresh("_s"), []);
  const inside: SelectExpression[] = [];
  const columnOf = (expression: Expression): BoundColumn => {
    const name = fresh("_c");
    inside.push(selectItem(expression, exactName(name, span), { span: expression.span }));
    const type = typeOrUnknown(expression);
    const column = relation.add({
      name,
      type,
      notNull: false,
      printedName: name,
      origins: [expression],
      implicitName: undefined,
    });
    return { kind: "bound", column, span: expression.span, type };
  };
  const columns = items.map(({ expression }) => columnOf(expression));
  const sorted = orderBy.map((item): SortItem => {
    if (item.expression.kind === "number") return item;
    const at = items.findIndex(({ expression }) => sameExpression(expression, item.expression));
    return { ...item, expression: columns[at] ?? columnOf(item.expression) };
  });
  const outside = columns.map((column, index) =>
    selectItem(column, exactName(names[index]?.name ?? column.column.printedName, span), { span: column.span }),
  );
  const table: DerivedTable = {
    kind: "derived",
    query: queryOf({ ...body, items: inside }),
    lateral: false,
    alias: { name: exactName(relation.printedAlias, span), columns: [] },
    span,
  };
  return { ...query, body: selectOf({ items: outside, from: [table] }, { span }), orderBy: sorted };
}

function isName(columns: readonly { readonly name: string }[], alias: string): boolean {
  const folded = alias.toLowerCase();
  return columns.some(({ name }) => name.toLowerCase() === folded);
}

/** A key that is a column of the query is printed as its position. */
function isHidden(
  body: Select,
  items: readonly SelectExpression[],
  orderBy: readonly SortItem[],
  hides: Grammar["columnsHideTables"],
): boolean {
  const hidden = hiddenBy(body);
  const isKey = (key: Expression): boolean =>
    hidden(key) && !items.some(({ expression }) => sameExpression(expression, key));
  if (orderBy.some(({ expression }) => isKey(expression))) return true;
  if (hides === "in sort keys") return false;
  const groups = (body.groupBy ?? []).flatMap((element) => (element.kind === "expression" ? [element.expression] : []));
  return groups.some(isKey) || (body.having !== undefined && hidden(body.having));
}
