/**
 * The level of an aggregate: the innermost level whose columns it uses, or its own if it uses none (ISO 9075,
 * PostgreSQL 4.2.7). In `SELECT (SELECT count(*) FROM v WHERE v.at < min(o.at)) FROM o GROUP BY o.id` the minimum is
 * computed per group of `o`.
 */
import { PlannerError } from "../diagnostics.ts";
import type { Call } from "../syntax/tree.ts";
import { someNode, walk } from "../syntax/walk.ts";
import type { ExpressionBinding } from "./binding.ts";
import type { BindingContext } from "./context.ts";
import { type Relation, relationColumn } from "./relation.ts";
import type { Scope } from "./scope.ts";

/** Records a bound aggregate at its level. Throws INVALID_QUERY if that level does not allow it. */
export function placeAggregate(call: Call, binding: ExpressionBinding): void {
  const { scope, clause, binder } = binding;
  const level = levelOf(call, scope, binder.context);
  if (level !== scope) {
    binder.context.hasOuterAggregates = true;
    placeAround(call, level);
    return;
  }
  if (!clause.aggregates) {
    throw new PlannerError("INVALID_QUERY", `an aggregate function is not allowed in ${clause.name}`, {
      span: call.span,
      hint: clause.name === "WHERE" ? "Filter on it with HAVING." : "Compute it in a subquery first.",
    });
  }
  binding.findings.aggregates = true;
  scope.aggregates.push(call);
}

function placeAround(call: Call, level: Scope | undefined): void {
  const place = level?.subqueryAt;
  const isNested = holdsAny(call, level?.aggregates ?? []);
  if (!place?.clause.aggregates || isNested || level?.namespace.relations.some(({ grouping }) => grouping)) {
    throw new PlannerError("INVALID_QUERY", "the call aggregates a column of the outer query", {
      span: call.span,
      hint: "Aggregate a column of the subquery's own tables, or move the aggregate out of it.",
    });
  }
  place.findings.aggregates = true;
  level?.aggregates.push(call);
}

function holdsAny(call: Call, aggregates: readonly Call[]): boolean {
  return someNode(call, (node) => aggregates.some((each) => each === node));
}

/** `undefined`: around everything that the query's scopes know, as a rule's model is. */
function levelOf(call: Call, scope: Scope, { selects }: BindingContext): Scope | undefined {
  const named = new Set<Relation>();
  const inside = new Set<Relation>();
  walk(call, (node) => {
    if (node.kind === "bound") named.add(relationColumn(node).relation);
    else if (node.kind === "select") for (const each of selects.get(node)?.namespace.relations ?? []) inside.add(each);
    return true;
  });
  const relations = [...named].filter((relation) => !inside.has(relation));
  if (relations.length === 0 || scope.parent === undefined) return scope;
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    if (relations.some((relation) => level?.namespace.relations.includes(relation))) return level;
  }
  return undefined;
}
