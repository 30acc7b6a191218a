/**
 * IS DISTINCT FROM that correlates an EXISTS: DuckDB joins by `<>`, which loses rows with NULL; its negation is joined rightly. Seen on
 * 1.4.4; reported as https://github.com/duckdb/duckdb/issues/19680, mended for 1.5 by https://github.com/duckdb/duckdb/pull/19811.
 */
import { not } from "../../../syntax/build.ts";
import type { Binary, Expression } from "../../../syntax/tree.ts";

export function knownToExists(node: Binary): Expression {
  if (node.operator !== "is distinct from") return node;
  return not({ ...node, operator: "is not distinct from" });
}
