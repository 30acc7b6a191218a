/** VALUES for targets where it gives its columns no names, or none that can be chosen: its first row is a SELECT. */
import { exactName, selectItem, selectOf } from "../../syntax/build.ts";
import type { QueryBody, Values } from "../../syntax/tree.ts";

/** The same rows; the columns are called `column1`, `column2`, … as in PostgreSQL. */
export function valuesAsRows(body: Values): QueryBody {
  const [first = [], ...others] = body.rows;
  const items = first.map((value, index) => selectItem(value, exactName(`column${index + 1}`, value.span), value));
  const named = selectOf({ items }, body);
  if (others.length === 0) return named;
  const rest: Values = { ...body, rows: others };
  return { kind: "set", operator: "union", all: true, left: named, right: rest, span: body.span };
}
