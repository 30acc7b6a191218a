/**
 * Whether one side of a join may be filtered by values of the other, as DuckDB does (`join_filter_pushdown`). DuckDB also pushes
 * the filter below LIMIT, DISTINCT ON and grouping sets, which changes their rows
 * (docs/decisions/0051-join-filters-of-duckdb.md#decision). So only statements of joins without these are allowed. The outermost
 * LIMIT is allowed, because no join is above it. Queries inside expressions are excluded, because they become joins that the tree
 * does not show, and so is native SQL, which may contain anything.
 */
import type { Query } from "../syntax/tree.ts";
import { type SyntaxNode, walk } from "../syntax/walk.ts";

export function joinsMayFilter(query: Query): boolean {
  let joins = 0;
  let changesRows = false;
  walk(query, (node) => {
    if (node.kind === "join" || (node.kind === "select" && node.from.length > 1)) joins++;
    changesRows ||= node === query ? isRecursive(query) : changes(node);
    return !changesRows;
  });
  return joins > 0 && !changesRows;
}

function changes(node: SyntaxNode): boolean {
  switch (node.kind) {
    case "query":
      return node.limit !== undefined || node.offset !== undefined || isRecursive(node);
    case "select":
      return (
        (node.distinct ?? []).length > 0 ||
        (node.groupBy ?? []).some(({ kind }) => kind === "sets" || kind === "rollup" || kind === "cube")
      );
    case "derived":
    case "function":
      return node.lateral || node.kind === "function";
    case "scalar-query":
    case "in-query":
    case "quantified":
    case "exists":
    case "array-query":
    case "opaque":
    case "opaque-table":
      return true;
    default:
      return false;
  }
}

const isRecursive = (query: Query): boolean => query.with?.recursive ?? false;
