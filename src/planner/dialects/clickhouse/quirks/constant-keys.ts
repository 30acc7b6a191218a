/**
 * Outer joins by a column that is the same in all rows of a query over several tables: `(SELECT 1 AS k FROM a JOIN b …) q LEFT JOIN c ON
 * q.k = c.k`. ClickHouse puts the tables of the query in its place and then finds no table for the key: "Cannot determine join keys in
 * JOIN ON expression". A LIMIT keeps the query apart. Seen on ClickHouse 26.7, not reported.
 */
import type { RelationColumn } from "../../../binding/relation.ts";
import { computedApart } from "../../../lowering/queries/every-row.ts";
import { holdsQuery, isAggregate } from "../../../lowering/queries/lateral-parts.ts";
import { transformQuery } from "../../../syntax/rewrite.ts";
import type { Join, Query } from "../../../syntax/tree.ts";
import { someExpression, someNode, walk } from "../../../syntax/walk.ts";
import { aliasesOf } from "../joins.ts";

/** `joins`: all of the statement. */
export function withKeptConstants(statement: Query, joins: readonly Join[]): Query {
  const keyed = new Set<string>();
  const visited = new Set<RelationColumn>();
  for (const column of joins.flatMap(keptKeys)) {
    if (visited.has(column)) continue;
    visited.add(column);
    if (isConstant(column)) keyed.add(column.relation.printedAlias);
  }
  if (keyed.size === 0) return statement;
  const common = new Set<string>();
  walk(statement, (node) => {
    if (node.kind === "bound-common" && [...aliasesOf(node)].some((alias) => keyed.has(alias))) {
      common.add(node.table.printedName);
    }
    return true;
  });
  return transformQuery(statement, {
    table: (node) =>
      node.kind === "derived" && keyed.has(node.alias?.name.name ?? "")
        ? { ...node, query: keptApart(node.query) }
        : node,
    query: (node) => (node.with === undefined || node.with.recursive ? node : withKeptTables(node, common)),
  });
}

/** The columns in the condition of an outer join that are of a side that it keeps. */
function keptKeys({ join, left, right, on }: Join): readonly RelationColumn[] {
  if (on === undefined || (join !== "left" && join !== "right" && join !== "full")) return [];
  const kept = new Set([...(join === "right" ? [] : aliasesOf(left)), ...(join === "left" ? [] : aliasesOf(right))]);
  const found: RelationColumn[] = [];
  walk(on, (node) => {
    if (node.kind !== "bound") return true;
    const column = node.column as RelationColumn;
    if (kept.has(column.relation.printedAlias)) found.push(column);
    return false;
  });
  return found;
}

/** Made of literals alone; what aggregates, windows and subqueries give is not. */
function isConstant(column: RelationColumn): boolean {
  const pending = [column];
  const visited = new Set(pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // Several are the rows of VALUES or the branches of a UNION; columns that lowering made may have none.
    const [origin, ...others] = next.origins ?? [];
    if (origin === undefined || others.length > 0 || holdsQuery(origin)) return false;
    const isComputed = someExpression(origin, (each) => {
      if (each.kind === "bound" && !visited.has(each.column as RelationColumn)) {
        visited.add(each.column as RelationColumn);
        pending.push(each.column as RelationColumn);
      }
      return each.kind === "call" && (each.over !== undefined || isAggregate(each));
    });
    if (isComputed) return false;
  }
  return true;
}

function withKeptTables(query: Query, common: ReadonlySet<string>): Query {
  const tables = query.with?.tables.map((table) =>
    common.has(table.name.name) ? { ...table, query: keptApart(table.query) } : table,
  );
  return tables && query.with ? { ...query, with: { ...query.with, tables } } : query;
}

function keptApart(query: Query): Query {
  const isApart = query.limit !== undefined || query.body.kind !== "select" || query.body.groupBy !== undefined;
  return isApart || !hasSeveralTables(query) ? query : computedApart(query);
}

const hasSeveralTables = (query: Query): boolean =>
  someNode(query, (node) => node.kind === "join" || (node.kind === "select" && node.from.length > 1));
