/** The queries that expansion writes. */
import { all, exactName, queryOf, selectOf } from "../syntax/build.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Identifier, Query, SelectItem, Span, TableExpression } from "../syntax/tree.ts";

const AT = { span: NOWHERE };

export function selectFrom(
  items: readonly SelectItem[],
  from: TableExpression,
  clauses: { readonly where?: readonly Expression[]; readonly groupBy?: readonly Expression[] } = {},
): Query {
  const where = all(clauses.where ?? [], AT);
  const groupBy = clauses.groupBy?.map((expression) => ({ kind: "expression", expression }) as const);
  return queryOf(selectOf({ items, from: [from], where, groupBy }, AT));
}

export function derived(inner: Query, alias: string, span: Span): TableExpression {
  return { kind: "derived", query: inner, lateral: false, alias: { name: name(alias), columns: [] }, span };
}

export function name(text: string): Identifier {
  return exactName(text, NOWHERE);
}
