/**
 * For targets that allow WITH only before the statement: moves every common table there, in an order in which each can be read.
 */

import { unsupported } from "../../diagnostics.ts";
import { type ChildMapper, mapBody, mapExpression, mapTable } from "../../syntax/rewrite.ts";
import type { CommonTable, Query } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";

/** Names of common tables are unique in a lowered statement, so that none captures another's. */
export function withTablesOutermost(statement: Query): Query {
  const tables: CommonTable[] = [];
  const mapper: ChildMapper = {
    expression: (node) => mapExpression(node, mapper),
    table: (node) => mapTable(node, mapper),
    body: (node) => mapBody(node, mapper),
    item: (node) => (node.kind === "item" ? { ...node, expression: mapper.expression(node.expression) } : node),
    query: (query) => {
      for (const table of query.with?.tables ?? []) {
        const inner = mapper.query(table.query);
        // A table before the statement cannot refer to outer columns.
        if (query !== statement) refuseOuterColumns(inner, table);
        tables.push({ ...table, materialized: undefined, query: inner });
      }
      return {
        ...query,
        with: undefined,
        body: mapper.body(query.body),
        orderBy: query.orderBy.map((item) => ({ ...item, expression: mapper.expression(item.expression) })),
      };
    },
  };
  const query = mapper.query(statement);
  return tables.length === 0 ? query : { ...query, with: { recursive: false, tables } };
}

function refuseOuterColumns(query: Query, { name }: CommonTable): void {
  const aliases = new Set<string>();
  walk(query, (node) => {
    switch (node.kind) {
      case "derived":
      case "function":
      case "opaque-table":
      case "aliased-join":
        if (node.alias !== undefined) aliases.add(node.alias.name.name);
        break;
      case "bound-common":
        aliases.add(node.alias?.name.name ?? node.table.printedName);
        break;
      case "physical-table":
        aliases.add(node.alias?.name.name ?? node.name.at(-1)?.name ?? "");
        break;
      default:
    }
    return true;
  });
  walk(query, (node) => {
    const alias =
      node.kind === "bound"
        ? node.column.relation.printedAlias
        : node.kind === "column" && node.parts.length > 1
          ? node.parts[0]?.name
          : undefined;
    if (alias !== undefined && !aliases.has(alias)) {
      const hint = "Write it as a derived table.";
      throw unsupported("a common table with columns of a query around it", name.span, hint);
    }
    return true;
  });
}
