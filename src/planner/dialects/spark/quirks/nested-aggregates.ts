/**
 * A correlated subquery in an aggregate of another one: errors of Spark's optimizer ("None.get", "Cannot generate code for expression:
 * outer(…)") for `SELECT (SELECT max((SELECT max(z) FROM (VALUES (1)) AS w(z) WHERE w.z = u.y)) FROM (VALUES (1)) AS u(y) WHERE u.y = t.x)
 * FROM (VALUES (1)) AS t(x)`. Seen on 4.0.1; not reported.
 */
import { unsupported } from "../../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../../functions/calls.ts";
import { findFunction } from "../../../functions/catalogue.ts";
import { isCorrelated } from "../../../lowering/queries/correlation.ts";
import type { Expression, Query } from "../../../syntax/tree.ts";
import { someExpression } from "../../../syntax/walk.ts";

export function refuseNested({ body }: Query): void {
  if (body.kind !== "select") return;
  for (const item of body.items) {
    if (item.kind !== "item") continue;
    someExpression(item.expression, (each) => {
      if (each.kind !== "call" || !isAggregateCall(each, findFunction(functionName(each)))) return false;
      const parts = [...each.arguments.map(({ value }) => value), ...(each.filter === undefined ? [] : [each.filter])];
      if (!parts.some((part) => someExpression(part, hasCorrelatedQuery))) return false;
      throw unsupported(
        "a correlated subquery in an aggregate of another one",
        each.span,
        "Join the tables in one subquery.",
      );
    });
  }
}

const hasCorrelatedQuery = (each: Expression): boolean =>
  (each.kind === "scalar-query" || each.kind === "exists" || each.kind === "in-query") && isCorrelated(each.query);
