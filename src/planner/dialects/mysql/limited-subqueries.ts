/**
 * LIMIT in a subquery of IN, ANY or ALL, which MySQL and MariaDB refuse (error 1235): the subquery becomes a derived table of one
 * that has no LIMIT. A derived table sees no columns of the query around, so that a correlated one is refused.
 */
import { relationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../diagnostics.ts";
import { withColumnNames } from "../../lowering/queries/column-names.ts";
import { columnOf, exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { Query, QueryBody } from "../../syntax/tree.ts";
import { type SyntaxNode, someNode, walk } from "../../syntax/walk.ts";
import type { SqlType } from "../../types.ts";

export function withDerivedLimits(statement: Query): Query {
  return transformQuery(statement, {
    expression: (node) => {
      if (node.kind !== "in-query" && node.kind !== "quantified") return node;
      const { query } = node;
      return query === undefined || !isLimited(query) ? node : { ...node, query: derivedRows(query) };
    },
  });
}

const isLimited = ({ limit, offset }: Query): boolean => limit !== undefined || offset !== undefined;

const ROWS = "_limited";

function derivedRows(query: Query): Query {
  const { span } = query;
  const types = typesOf(query.body);
  if (isCorrelated(query)) {
    throw unsupported(
      "LIMIT in a correlated subquery of IN, ANY or ALL",
      span,
      "Rank the rows with row_number() in a derived table, and compare the rank.",
    );
  }
  const names = types.map((_, index) => exactName(`c${index + 1}`, span));
  const items = names.map(({ name }, index) =>
    selectItem(columnOf(ROWS, name, { span, type: types[index] }), undefined, query),
  );
  const alias = { name: exactName(ROWS, span), columns: [] };
  const from = { kind: "derived", query: withColumnNames(query, names), lateral: false, alias, span } as const;
  return queryOf(selectOf({ items, from: [from] }, query));
}

/** The types of the columns, whether they have names or not; binding has written stars out. */
function typesOf(body: QueryBody): readonly (SqlType | undefined)[] {
  switch (body.kind) {
    case "select":
      return body.items.flatMap((item) => (item.kind === "item" ? [item.expression.type] : []));
    case "set":
      return typesOf(body.left);
    case "nested":
      return typesOf(body.query.body);
    case "values":
      return (body.rows[0] ?? []).map(({ type }) => type);
    default:
      return body satisfies never;
  }
}

/** Whether the query names a column of a table that is outside of it. */
function isCorrelated(query: Query): boolean {
  const inside = new Set<string>();
  walk(query, (node) => {
    if ("alias" in node && node.kind !== "item") inside.add(node.alias?.name.name ?? "");
    if (node.kind === "bound-common") inside.add(node.alias?.name.name ?? node.table.printedName);
    return true;
  });
  const isOutside = (node: SyntaxNode): boolean =>
    node.kind === "bound" && !inside.has(relationColumn(node).relation.printedAlias);
  return someNode(query, isOutside);
}
