/**
 * QUALIFY for targets without it: the windows move into a derived table, the condition into the WHERE around it. Windows in ORDER BY move
 * in the same way, for targets that sort only by selected windows.
 */

import { uniqueName } from "../../binding/output.ts";
import { UniqueNames } from "../../binding/printable-name.ts";
import { sameExpression } from "../../binding/same.ts";
import { columnOf, exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import type {
  Expression,
  Identifier,
  Query,
  Select,
  SelectExpression,
  SortItem,
  TableAlias,
} from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BOOLEAN } from "../../types.ts";
import type { Grammar } from "../grammar.ts";

const ALIAS = "_q";

/** Whether the SELECT has a QUALIFY that the target does not support. */
export function lacksQualify({ qualify, items }: Select, grammar: Pick<Grammar, "qualify">): boolean {
  if (qualify === undefined || grammar.qualify === "anywhere") return false;
  if (grammar.qualify === "nowhere") return true;
  const expressions = items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  return ![qualify, ...expressions].some((each) => someExpression(each, isWindow));
}

/** Whether the lowered query has windows in QUALIFY or ORDER BY that the target does not support. */
export const needsWindowsApart = (query: Query, select: Select, grammar: Grammar): boolean =>
  lacksQualify(select, grammar) || lacksWindowKeys(query, select, grammar);

/** Whether the query sorts by a window that it does not select, on a target without that. */
function lacksWindowKeys({ orderBy }: Query, { items }: Select, grammar: Grammar): boolean {
  if (grammar.sortsBesideWindows) return false;
  const isSelected = (key: Expression): boolean =>
    items.some((item) => item.kind === "item" && sameExpression(item.expression, key));
  return orderBy.some(({ expression }) => someExpression(expression, isWindow) && !isSelected(expression));
}

function isWindow(expression: Expression): boolean {
  return expression.kind === "call" && expression.over !== undefined;
}

/**
 * The input is lowered and bound; every select item has a unique name, written out if its column has another. DISTINCT, ORDER BY,
 * LIMIT and OFFSET apply after QUALIFY, so they move outwards; the inner expressions that they need are selected under generated
 * names.
 */
export function withWindowsApart(query: Query, select: Select): Query {
  const { qualify } = select;
  const taken = new UniqueNames();
  const names = select.items.map((item, index): Identifier => {
    const own = item.kind === "item" ? (item.alias?.name ?? ownName(item.expression)) : undefined;
    return exactName(uniqueName(own ?? `_c${index + 1}`, index, taken), item.span);
  });
  const carried: SelectExpression[] = [];
  const carry = (expression: Expression, prefix: string): Expression => {
    const name = exactName(uniqueName(`${prefix}${carried.length + 1}`, carried.length, taken), expression.span);
    carried.push(selectItem(expression, name, expression));
    return outerColumn(name, expression);
  };
  /** A selected or carried expression keeps its name: DISTINCT and DISTINCT ON require ORDER BY to use the same expression. */
  const outside = (expression: Expression, prefix: string): Expression => {
    if (expression.kind === "number") return expression;
    const index = select.items.findIndex((each) => each.kind === "item" && sameExpression(each.expression, expression));
    const known = names[index] ?? carried.find((each) => sameExpression(each.expression, expression))?.alias;
    return known === undefined ? carry(expression, prefix) : outerColumn(known, expression);
  };
  const condition = qualify && carry(qualify, "_w");
  const distinct = select.distinct?.map((key) => outside(key, "_d"));
  const orderBy = query.orderBy.map((item): SortItem => ({ ...item, expression: outside(item.expression, "_o") }));
  const inner: Select = {
    ...select,
    distinct: undefined,
    qualify: undefined,
    items: [
      ...select.items.map((item, index) => (item.kind === "item" ? { ...item, alias: names[index] } : item)),
      ...carried,
    ],
  };
  const alias: TableAlias = { name: exactName(ALIAS, select.span), columns: [] };
  const span = select.span;
  const outer = selectOf(
    {
      distinct,
      items: select.items.map((item, index): SelectExpression => {
        const name = names[index] ?? exactName(`_c${index + 1}`, item.span);
        const source = item.kind === "item" ? item.expression : undefined;
        return selectItem(outerColumn(name, source ?? { span }), undefined, item);
      }),
      from: [{ kind: "derived", query: queryOf(inner), lateral: false, alias, span }],
      where: condition,
    },
    select,
  );
  return { ...query, body: outer, orderBy };
}

/** The column's name without an alias: outer queries may refer to it. */
function ownName(expression: Expression): string | undefined {
  return expression.kind === "bound" ? expression.column.printedName : undefined;
}

function outerColumn(
  { name }: Identifier,
  at: { readonly span: Expression["span"]; readonly type?: Expression["type"] },
): Expression {
  return columnOf(ALIAS, name, { span: at.span, type: at.type ?? BOOLEAN });
}
