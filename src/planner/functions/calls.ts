/** Classifies calls before binding, for binding and for the analysis of manifest expressions. */

import { expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { findForm, findFunction } from "./catalogue.ts";
import type { FunctionSpecification } from "./specification.ts";
import { canonicalCall } from "./synonyms.ts";

/** Lower case; a `pg_catalog.` prefix means the same function, any other schema a function we do not know. */
export function functionName(call: Call): string {
  // By index: a pattern of two elements goes through the iterator of arrays, and this runs several times for each call.
  const first = call.name[0];
  const second = call.name[1];
  if (second === undefined) return (first?.name ?? "").toLowerCase();
  const schema = first?.name.toLowerCase();
  return schema === "pg_catalog" ? second.name.toLowerCase() : `${schema}.${second.name.toLowerCase()}`;
}

/** Only aggregates accept DISTINCT, FILTER and WITHIN GROUP, so these identify unknown aggregates too. */
export function isAggregateCall(call: Call, specification: FunctionSpecification | undefined): boolean {
  if (call.over !== undefined) return false;
  if (specification !== undefined) return specification.kind === "aggregate";
  return call.distinct || call.filter !== undefined || call.withinGroup.length > 0 || call.orderBy.length > 0;
}

/** `unnest` in a select list makes rows. */
export function makesRows(expression: Expression): boolean {
  if (expression.kind !== "call") return false;
  return findForm(expression.name[0]?.name ?? "", expression.arguments.length)?.kind === "table";
}

/**
 * The expression with every outermost aggregate call replaced. Synonyms are resolved on the way: `count_if(x)` is an
 * aggregate under another name. Throws FUNCTION_NOT_ALLOWED for names without one meaning.
 */
export function replaceAggregates(expression: Expression, replace: (call: Call) => Expression): Expression {
  const visit = (node: Expression): Expression => {
    if (node.kind !== "call") return mapExpression(node, mapper);
    const canonical = canonicalCall(node, functionName(node));
    if (canonical.kind !== "call") return visit(canonical);
    if (isAggregateCall(canonical, findFunction(functionName(canonical)))) return replace(canonical);
    return mapExpression(canonical, mapper);
  };
  const mapper = expressionsOnly(visit);
  return visit(expression);
}
