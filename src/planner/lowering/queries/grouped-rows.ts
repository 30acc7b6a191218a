/**
 * `SELECT unnest(a), count(*) FROM t GROUP BY unnest(a)` for targets that cannot group by a set-returning function of the select
 * list: the function moves into FROM, which produces the same rows before they are grouped.
 */
import { sameExpression } from "../../binding/same.ts";
import { makesRows } from "../../functions/calls.ts";
import { columnOf, exactName, inPlaceOf } from "../../syntax/build.ts";
import { expressionsOnly, mapBody, mapExpression } from "../../syntax/rewrite.ts";
import type { Call, Expression, Query, Select } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";

/** Returns the query unchanged unless it groups by the rows of exactly one such function. */
export function withRowsInFrom(query: Query, fresh: () => string): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || body.groupBy === undefined) return query;
  const made = madeIn(body);
  const [first, ...others] = made;
  if (first === undefined || others.some((each) => !sameExpression(each, first)) || !isKey(body, first)) return query;
  const alias = fresh();
  const replace = (node: Expression): Expression => {
    if (makesRows(node) && sameExpression(node, first)) return columnOf(alias, "x", inPlaceOf(node));
    return mapExpression(node, mapper);
  };
  const mapper = expressionsOnly(replace);
  const mapped = mapBody(body, {
    ...mapper,
    item: (item) => (item.kind === "item" ? { ...item, expression: replace(item.expression) } : item),
  });
  if (mapped.kind !== "select") return query;
  const { span } = first;
  const table = {
    kind: "function",
    call: first,
    lateral: false,
    ordinality: false,
    alias: { name: exactName(alias, span), columns: [exactName("x", span)] },
    span,
  } as const;
  return {
    ...query,
    body: { ...mapped, from: [...mapped.from, table] },
    orderBy: orderBy.map((item) => ({ ...item, expression: replace(item.expression) })),
  };
}

function madeIn({ items, groupBy = [] }: Select): readonly Call[] {
  const expressions = [
    ...items.flatMap((item) => (item.kind === "item" ? [item.expression] : [])),
    ...groupBy.flatMap((element) => (element.kind === "expression" ? [element.expression] : [])),
  ];
  const found: Call[] = [];
  for (const expression of expressions) {
    walk(expression, (node) => {
      if (node.kind === "call" && makesRows(node)) found.push(node);
    });
  }
  return found;
}

/** Grouping by another expression over the function's rows, or next to them, has another meaning. */
function isKey({ items, groupBy = [] }: Select, call: Call): boolean {
  return groupBy.some((element) => {
    if (element.kind !== "expression") return false;
    const { expression } = element;
    const item = expression.kind === "number" ? items[Number(expression.text) - 1] : undefined;
    return sameExpression(item?.kind === "item" ? item.expression : expression, call);
  });
}
