/** Windows for targets without a WINDOW clause: each is written out where it is named. */

import { expressionsOnly, mapBody, mapExpression } from "../../syntax/rewrite.ts";
import type { Expression, Query, Select, Window } from "../../syntax/tree.ts";

/** The query whose calls contain the named windows of their SELECT, if there are any. */
export function withWrittenWindows(query: Query): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || body.windows.length === 0) return query;
  const expression = writing(body);
  const mapped = mapBody(
    { ...body, windows: [] },
    {
      ...expressionsOnly(expression),
      item: (item) => (item.kind === "item" ? { ...item, expression: expression(item.expression) } : item),
    },
  );
  return {
    ...query,
    body: mapped,
    orderBy: orderBy.map((item) => ({ ...item, expression: expression(item.expression) })),
  };
}

function writing({ windows }: Select): (expression: Expression) => Expression {
  // Binding has resolved every name, ignoring case, and refused duplicates.
  const known = new Map(windows.map(({ name, window }) => [name.name.toLowerCase(), window]));
  const written = (window: Window): Window => {
    const base = window.base && known.get(window.base.name.toLowerCase());
    if (base === undefined) return window;
    const { partitionBy, orderBy, frame } = written(base);
    if (window.named) return { ...window, base: undefined, named: false, partitionBy, orderBy, frame };
    const own = window.orderBy.length > 0 ? window.orderBy : orderBy;
    return { ...window, base: undefined, partitionBy, orderBy: own };
  };
  const expression = (each: Expression): Expression => {
    const call = each.kind === "call" && each.over !== undefined ? { ...each, over: written(each.over) } : each;
    return mapExpression(call, mapper);
  };
  const mapper = expressionsOnly(expression);
  return expression;
}
