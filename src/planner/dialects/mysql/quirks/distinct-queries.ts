/**
 * `count(DISTINCT …)` of a value that holds a subquery and that no row decides: MySQL counts it where it is NULL, in
 * `SELECT count(DISTINCT (SELECT n FROM t WHERE n IS NULL)) FROM t`. Seen on MySQL 9.7.4, and not on MariaDB; not reported.
 */
import { unsupported } from "../../../diagnostics.ts";
import { isCorrelated } from "../../../lowering/queries/correlation.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { walk } from "../../../syntax/walk.ts";

export function refuseDistinctQuery(value: Expression, { filter, span }: Call): void {
  const deciding = filter === undefined ? [value] : [value, filter];
  let [isOfRow, hasQuery] = [false, false];
  for (const each of deciding) {
    walk(each, (node) => {
      isOfRow ||= node.kind === "bound" || (node.kind === "query" && isCorrelated(node));
      hasQuery ||= node.kind === "query";
      return node.kind !== "query";
    });
  }
  if (!hasQuery || isOfRow) return;
  throw unsupported(
    "count(DISTINCT) of a subquery's answer",
    span,
    "Select it in a derived table, and count its column.",
  );
}
