/** Moves the column names of a derived table from its alias into its first SELECT. */
import type { DerivedTable, Identifier, Query, QueryBody } from "../../syntax/tree.ts";

export function withNamesInside(table: DerivedTable): DerivedTable {
  const { alias } = table;
  if (alias === undefined || alias.columns.length === 0) return table;
  return { ...table, query: withColumnNames(table.query, alias.columns), alias: { ...alias, columns: [] } };
}

export function withColumnNames(query: Query, names: readonly Identifier[]): Query {
  return { ...query, body: renamedBody(query.body, names) };
}

/** VALUES has already become a SELECT (`values-rows.ts`). */
function renamedBody(body: QueryBody, names: readonly Identifier[]): QueryBody {
  switch (body.kind) {
    case "select": {
      const items = body.items.map((item, index) => {
        const name = names[index];
        return item.kind === "item" && name !== undefined ? { ...item, alias: name } : item;
      });
      return { ...body, items };
    }
    case "set":
      return { ...body, left: renamedBody(body.left, names) };
    case "nested":
      return { ...body, query: withColumnNames(body.query, names) };
    case "values":
      return body;
    default:
      return body satisfies never;
  }
}
