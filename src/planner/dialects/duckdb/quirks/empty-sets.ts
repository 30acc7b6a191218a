/**
 * Empty grouping sets that are repeated: over no rows DuckDB gives one row for all of them, PostgreSQL one for each, in
 * `SELECT count(*) FROM (SELECT 1 FROM (VALUES (1)) u(x) WHERE x > 1 GROUP BY GROUPING SETS ((), ())) q`. Seen on 1.4.4; not reported.
 */
import { unsupported } from "../../../diagnostics.ts";
import type { GroupingElement, Query } from "../../../syntax/tree.ts";
import { walk } from "../../../syntax/walk.ts";

export function refuseRepeatedEmptySets(statement: Query): void {
  walk(statement, (node) => {
    if (node.kind !== "select" || node.groupBy === undefined || node.groupBy.length === 0) return true;
    const count = node.groupBy.reduce((product, element) => product * emptySets(element), 1);
    if (count > 1) {
      throw unsupported("an empty grouping set that is repeated", node.span, "Write the empty grouping set once.");
    }
    return true;
  });
}

function emptySets(element: GroupingElement): number {
  switch (element.kind) {
    case "expression":
    case "keys":
      return 0;
    case "empty":
    case "rollup":
    case "cube":
      return 1;
    case "sets":
      return element.elements.reduce((sum, each) => sum + emptySets(each), 0);
    default:
      return element satisfies never;
  }
}
