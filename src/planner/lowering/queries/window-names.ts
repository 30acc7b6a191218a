/** Names of WINDOW clauses on engines that keep one list of them for the whole statement. */
import { exactName } from "../../syntax/build.ts";
import type { Expression, Identifier, Query, Select, Window } from "../../syntax/tree.ts";
import { expressionsOnly, mapBody, mapExpression } from "../../syntax/walk.ts";

/** The query with the windows of its own SELECT, if it has any, called by what `next` gives. */
export function withOwnWindows(query: Query, next: () => string): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || body.windows.length === 0) return query;
  const rename = renaming(body, next);
  return {
    ...query,
    body: renamedIn(body, rename),
    orderBy: orderBy.map((item) => ({ ...item, expression: rename.expression(item.expression) })),
  };
}

interface Renaming {
  readonly name: (name: Identifier) => Identifier;
  readonly window: (window: Window) => Window;
  readonly expression: (expression: Expression) => Expression;
}

function renaming({ windows }: Select, next: () => string): Renaming {
  // Binding has found every name, without case, and no two that are alike.
  const names = new Map(windows.map(({ name }) => [name.name.toLowerCase(), next()]));
  const name = (written: Identifier): Identifier => {
    const known = names.get(written.name.toLowerCase());
    return known === undefined ? written : exactName(known, written.span);
  };
  const window = (each: Window): Window => ({ ...each, base: each.base && name(each.base) });
  const expression = (each: Expression): Expression => {
    const own = each.kind === "call" && each.over !== undefined ? { ...each, over: window(each.over) } : each;
    return mapExpression(own, mapper);
  };
  const mapper = expressionsOnly(expression);
  return { name, window, expression };
}

function renamedIn(select: Select, { name, window, expression }: Renaming): Select {
  const windows = select.windows.map((each) => ({ name: name(each.name), window: window(each.window) }));
  const mapped = mapBody(
    { ...select, windows },
    {
      ...expressionsOnly(expression),
      item: (item) => (item.kind === "item" ? { ...item, expression: expression(item.expression) } : item),
    },
  );
  if (mapped.kind !== "select") throw new TypeError("a select stays a select");
  return mapped;
}
