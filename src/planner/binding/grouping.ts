/** The rule of grouped queries: what is selected is a key, an aggregate, or made of these (semantics.md). */
import { PlannerError } from "../diagnostics.ts";
import { findFunction } from "../functions/catalogue.ts";
import type { Call, Expression, Select } from "../syntax/tree.ts";
import { children, forEachChild, walk } from "../syntax/walk.ts";
import type { Relation, RelationColumn } from "./relation.ts";
import type { ExpressionSet } from "./same.ts";

/** Whether some rows stand above the level of a key, which is NULL there whatever it is made of. */
export function hasGroupingSets(select: Select): boolean {
  return (select.groupBy ?? []).some((element) => element.kind !== "expression");
}

/** Throws UNGROUPED_COLUMN for the first column of `relations` that is neither a key nor inside an aggregate. */
export function checkGrouping(expression: Expression, keys: ExpressionSet, relations: ReadonlySet<Relation>): void {
  if (keys.has(expression)) return;
  if (expression.kind === "bound") {
    const column = expression.column as RelationColumn;
    if (!relations.has(column.relation)) return;
    throw new PlannerError("UNGROUPED_COLUMN", `column "${column.name}" is neither grouped nor aggregated`, {
      span: expression.span,
      hint: `Add it to GROUP BY, or aggregate it, for example max(${column.name}).`,
    });
  }
  if (expression.kind === "call" && isAggregate(expression)) return;
  for (const child of children(expression)) checkGrouping(child, keys, relations);
  checkNestedQueries(expression, keys, relations);
}

/** A subquery may name this level's keys, and none of its other columns. */
function checkNestedQueries(expression: Expression, keys: ExpressionSet, relations: ReadonlySet<Relation>): void {
  forEachChild(expression, (child) => {
    if (child.kind !== "query") return;
    walk(child, (node) => {
      if (node.kind !== "bound") return !keys.has(node as Expression);
      checkGrouping(node, keys, relations);
      return false;
    });
  });
}

function isAggregate(call: Call): boolean {
  if (call.over !== undefined) return false;
  const specification = findFunction(call.name[call.name.length - 1]?.name ?? "");
  if (specification !== undefined) return specification.kind === "aggregate";
  return call.distinct || call.filter !== undefined || call.withinGroup.length > 0 || call.orderBy.length > 0;
}
