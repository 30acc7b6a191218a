/**
 * Facts about the clauses of a SELECT that run after WHERE, found in one walk for all steps: most queries have nothing that a step replaces,
 * and are left as they are without a walk for each step.
 */
import { makesRows } from "../../functions/calls.ts";
import type { Expression, Query } from "../../syntax/tree.ts";
import { groupedBy, someExpression } from "../../syntax/walk.ts";
import { keptFacts } from "../kept-facts.ts";
import { SUBQUERIES } from "./correlation.ts";

/** Facts about the select list, GROUP BY, HAVING, QUALIFY and ORDER BY, without the subqueries in them. */
export interface ClauseFacts {
  readonly hasWindows: boolean;
  readonly makesRows: boolean;
  readonly hasSubqueries: boolean;
  /** An aggregate compares or sorts its arguments: DISTINCT, or WITHIN GROUP. */
  readonly comparesArguments: boolean;
}

const NONE: ClauseFacts = { hasWindows: false, makesRows: false, hasSubqueries: false, comparesArguments: false };

/** `plain`: a query for which all facts are known to be false. */
export function clauseFacts(plain?: Query): (query: Query) => ClauseFacts {
  return keptFacts(factsOf, plain && { query: plain, facts: NONE });
}

function factsOf({ body, orderBy }: Query): ClauseFacts {
  const facts = { ...NONE };
  if (body.kind !== "select") return facts;
  const see = (node: Expression): false => {
    if (node.kind === "call") {
      if (node.over !== undefined) facts.hasWindows = true;
      if (makesRows(node)) facts.makesRows = true;
      if (node.distinct || node.withinGroup.length > 0) facts.comparesArguments = true;
    } else if (SUBQUERIES.has(node.kind)) {
      facts.hasSubqueries = true;
    }
    return false;
  };
  for (const item of body.items) if (item.kind === "item") someExpression(item.expression, see);
  for (const element of body.groupBy ?? []) for (const key of groupedBy(element)) someExpression(key, see);
  if (body.having !== undefined) someExpression(body.having, see);
  if (body.qualify !== undefined) someExpression(body.qualify, see);
  for (const { expression } of orderBy) someExpression(expression, see);
  return facts;
}
