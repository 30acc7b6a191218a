/** Conditions on one model occurrence alone: next to a row rule, they can still use an index. */
import type { Expression } from "../syntax/tree.ts";
import { conjuncts, someExpression } from "../syntax/walk.ts";
import { ModelRelation, type Relation } from "./relation.ts";

/** Leaves each part of `condition`, which holds for every row of the result, with the one of `relations` that it concerns. */
export function noteConditions(condition: Expression | undefined, relations: readonly Relation[]): void {
  if (condition === undefined) return;
  for (const part of conjuncts(condition)) {
    const owner = onlyRelation(part);
    // On the NULL-extended side of a join the condition is about the join's result, not about the relation's rows.
    if (owner instanceof ModelRelation && !owner.outer && relations.includes(owner)) owner.conditions.push(part);
  }
}

function onlyRelation(expression: Expression): unknown {
  const found = new Set<unknown>();
  const queries = someExpression(expression, (each) => {
    if (each.kind === "bound") found.add(each.column.relation);
    return WITH_QUERIES.has(each.kind);
  });
  const [only, ...others] = found;
  return queries || others.length > 0 ? undefined : only;
}

const WITH_QUERIES: ReadonlySet<Expression["kind"]> = new Set([
  "in-query",
  "exists",
  "scalar-query",
  "array-query",
  "quantified",
]);
