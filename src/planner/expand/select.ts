/** The queries that expansion writes. */
import { all } from "../syntax/build.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Identifier, Query, SelectExpression, Span, TableExpression } from "../syntax/tree.ts";

export function selectFrom(
  items: readonly SelectExpression[],
  from: TableExpression,
  clauses: { readonly where?: readonly Expression[]; readonly groupBy?: readonly Expression[] } = {},
): Query {
  return {
    kind: "query",
    with: undefined,
    body: {
      kind: "select",
      distinct: undefined,
      items,
      from: [from],
      where: all(clauses.where ?? [], { span: NOWHERE }),
      groupBy: clauses.groupBy?.map((expression) => ({ kind: "expression", expression })),
      having: undefined,
      windows: [],
      qualify: undefined,
      span: NOWHERE,
    },
    orderBy: [],
    limit: undefined,
    offset: undefined,
    span: NOWHERE,
  };
}

export function derived(query: Query, alias: string, span: Span): TableExpression {
  return { kind: "derived", query, lateral: false, alias: { name: name(alias), columns: [] }, span };
}

export function name(text: string): Identifier {
  return { name: text, quoted: true, span: NOWHERE };
}
