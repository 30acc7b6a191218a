/** DISTINCT ON as ROW_NUMBER: the first row of each group of equal keys, in the order of the query. */
import { binary, call, integer, logical } from "../../syntax/build.ts";
import type { Query, Select, SortItem, Window } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN } from "../../types.ts";
import { withWindowsApart } from "./qualify.ts";

/** The same rows with QUALIFY in place of DISTINCT ON. ORDER BY stays: it sorts the remaining rows. */
export function withoutDistinctOn(query: Query): Query {
  const { body } = query;
  if (body.kind !== "select" || !hasDistinctOn(body)) return query;
  // DISTINCT applies to the rows that QUALIFY leaves.
  if (body.qualify !== undefined) return withoutDistinctOn(withWindowsApart(query, body));
  const { span } = body;
  const orderBy = query.orderBy.map((item): SortItem => ({ ...item, expression: writtenOut(item, body) }));
  const window: Window = { base: undefined, named: false, partitionBy: body.distinct, orderBy, frame: undefined, span };
  const row = { ...call("row_number", [], { span, type: BIGINT }), over: window };
  const first = binary(row, "=", integer(1, body), { span, type: BOOLEAN });
  return { ...query, body: { ...body, distinct: undefined, qualify: logical("and", [first], body) } };
}

function hasDistinctOn(select: Select): select is Select & { readonly distinct: NonNullable<Select["distinct"]> } {
  return select.distinct !== undefined && select.distinct.length > 0;
}

/** In a window, a position would be a constant. */
function writtenOut({ expression }: SortItem, { items }: Select): SortItem["expression"] {
  if (expression.kind !== "number") return expression;
  const item = items[Number(expression.text) - 1];
  return item?.kind === "item" ? item.expression : expression;
}
