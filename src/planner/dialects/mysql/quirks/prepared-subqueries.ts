/**
 * `(SELECT x + 1)` over a column around it. MariaDB puts the expression in the query's place itself, and when such a statement is
 * prepared it does not find the column's table any more: `WITH w AS (SELECT id FROM t) SELECT (SELECT w.id + 1) FROM w` gives NULL, and a
 * derived table with LIMIT is unknown. Seen on MariaDB 10.11.18; not reported.
 */

import { functionName, isAggregateCall } from "../../../functions/calls.ts";
import { findFunction } from "../../../functions/catalogue.ts";
import type { Expression, ScalarQuery } from "../../../syntax/tree.ts";
import { someExpression } from "../../../syntax/walk.ts";

/** The expression that a query without FROM gives; `undefined` where it is more than that, or the same for every row. */
export function valueWithoutTable({ query }: ScalarQuery): Expression | undefined {
  const { body } = query;
  if (query.with !== undefined || query.limit !== undefined || query.offset !== undefined) return undefined;
  if (body.kind !== "select" || body.from.length > 0 || body.groupBy !== undefined) return undefined;
  if (body.where !== undefined || body.having !== undefined || body.qualify !== undefined) return undefined;
  const [item, ...others] = body.items;
  if (item?.kind !== "item" || others.length > 0) return undefined;
  const { expression } = item;
  const isOfRow = someExpression(expression, ({ kind }) => kind === "bound");
  return isOfRow && !someExpression(expression, isOverRows) ? expression : undefined;
}

const isOverRows = (each: Expression): boolean =>
  each.kind === "call" && (each.over !== undefined || isAggregateCall(each, findFunction(functionName(each))));
