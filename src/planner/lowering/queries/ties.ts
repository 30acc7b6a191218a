/** FETCH … WITH TIES as RANK: rows up to the rank of the last one, after skipping the offset. */
import { PlannerError, unsupported } from "../../diagnostics.ts";
import { all, binary, call } from "../../syntax/build.ts";
import type { Expression, Query, Select, SortItem, Window } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN } from "../../types.ts";
import { withWindowsApart } from "./qualify.ts";

/**
 * The same rows with QUALIFY in place of WITH TIES: `rank() <= offset + count`, and `row_number() > offset` for the skipped ones.
 * ORDER BY stays. Requires ORDER BY, as PostgreSQL does.
 */
export function withoutTies(query: Query): Query {
  const { limit, offset, orderBy, body } = query;
  if (limit?.withTies !== true) return query;
  if (orderBy.length === 0) {
    throw new PlannerError("INVALID_QUERY", "WITH TIES needs an ORDER BY", { span: limit.span });
  }
  if (body.kind !== "select" || body.distinct !== undefined) {
    throw unsupported(
      "WITH TIES after DISTINCT or a set operation",
      limit.span,
      "Put the query into a subquery first.",
    );
  }
  // Ranks count the rows that QUALIFY leaves.
  if (body.qualify !== undefined) return withoutTies(withWindowsApart(query, body));
  refuseKeys(query, body);
  const last =
    offset === undefined ? limit.count : binary(limit.count, "+", offset, { span: limit.span, type: BIGINT });
  const conditions = [compare(over("rank", orderBy, query), "<=", last)];
  if (offset !== undefined) conditions.push(compare(over("row_number", orderBy, query), ">", offset));
  return { ...query, body: qualified(body, conditions), limit: undefined, offset: undefined };
}

/** Keys that a window cannot contain: other windows, and positions, which are constants in it unless they are volatile. */
function refuseKeys({ orderBy }: Query, { items }: Select): void {
  for (const { expression, span } of orderBy) {
    const item = expression.kind === "number" ? items[Number(expression.text) - 1] : undefined;
    const key = item?.kind === "item" ? item.expression : expression;
    if (someExpression(key, (each) => each.kind === "call" && each.over !== undefined)) {
      throw unsupported("WITH TIES over the value of a window function", span, "Compute it in a subquery first.");
    }
    if (item?.kind === "item" && item.expression.kind === "call") {
      throw unsupported(
        "WITH TIES over a value that changes from call to call",
        span,
        "Select it in a subquery first.",
      );
    }
  }
}

function compare(left: Expression, operator: "<=" | ">", right: Expression): Expression {
  return binary(left, operator, right, { span: left.span, type: BOOLEAN });
}

function over(name: string, orderBy: readonly SortItem[], query: Query): Expression {
  const span = query.limit?.span ?? query.span;
  const window: Window = { base: undefined, named: false, partitionBy: [], orderBy, frame: undefined, span };
  return { ...call(name, [], { span, type: BIGINT }), over: window };
}

function qualified(select: Select, conditions: readonly Expression[]): Select {
  const qualify = all(conditions, select);
  return qualify === undefined ? select : { ...select, qualify };
}
