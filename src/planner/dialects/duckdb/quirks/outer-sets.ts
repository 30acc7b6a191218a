/**
 * Grouping sets that name a column of a query around: of several empty sets over no rows DuckDB gives one row, in
 * `SELECT (SELECT count(*) FROM (SELECT 1 FROM (VALUES (1)) u(x) WHERE x > a GROUP BY GROUPING SETS ((), (), (a))) q) FROM (VALUES (1)) t(a)`.
 * Seen on 1.4.4; not reported (one of that kind was mended for 1.1: https://github.com/duckdb/duckdb/pull/13291).
 */
import { unsupported } from "../../../diagnostics.ts";
import type { Query } from "../../../syntax/tree.ts";
import { groupedBy, walk } from "../../../syntax/walk.ts";
import { namesOf, namesOuterTable } from "../printed-names.ts";

export function refuseOuterSets(statement: Query): void {
  walk(statement, (node) => {
    if (node.kind !== "select") return true;
    const own = new Set(node.from.flatMap(namesOf));
    for (const element of node.groupBy ?? []) {
      if (element.kind === "expression") continue;
      const outer = groupedBy(element).find((each) => namesOuterTable(each, own));
      if (outer === undefined) continue;
      throw unsupported(
        "a grouping set with a column of the query around",
        outer.span,
        "Leave it out: it is the same in every group.",
      );
    }
    return true;
  });
}
