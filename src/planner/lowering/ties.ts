/** FETCH … WITH TIES as RANK: rows up to the rank of the last one, after skipping the offset. */
import { PlannerError } from "../diagnostics.ts";
import { binary, call } from "../syntax/build.ts";
import type { Expression, Query, Select, SortItem, Window } from "../syntax/tree.ts";
import { BIGINT, BOOLEAN } from "../types.ts";
import { unsupported } from "./target.ts";

/**
 * The same rows with QUALIFY in place of WITH TIES: `rank() <= offset + count`, and `row_number() > offset` for the
 * skipped ones. ORDER BY stays. Needs ORDER BY, as PostgreSQL does.
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
  const last =
    offset === undefined ? limit.count : binary(limit.count, "+", offset, { span: limit.span, type: BIGINT });
  const conditions = [compare(over("rank", orderBy, query), "<=", last)];
  if (offset !== undefined) conditions.push(compare(over("row_number", orderBy, query), ">", offset));
  return { ...query, body: qualified(body, conditions), limit: undefined, offset: undefined };
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
  const operands = [...(select.qualify === undefined ? [] : [select.qualify]), ...conditions];
  const [first] = operands;
  if (first === undefined) return select;
  const qualify: Expression =
    operands.length === 1 ? first : { kind: "logical", operator: "and", operands, span: select.span, type: BOOLEAN };
  return { ...select, qualify };
}
