/**
 * Functions of higher order: Spark takes no subquery in their lambdas, nor in what these are given
 * (UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION, seen on 4.0.1).
 */
import { unsupported } from "../../diagnostics.ts";
import { BOUND_ONCE } from "../../lowering/bound-operands.ts";
import { holdsQuery } from "../../lowering/queries/lateral-parts.ts";
import type { Query } from "../../syntax/tree.ts";
import { type SyntaxNode, walk } from "../../syntax/walk.ts";
import { SORTED } from "./aggregates.ts";
import { NUMBERED } from "./table-functions.ts";

export function refuseQueriesInLambdas(statement: Query): void {
  walk(statement, (node) => {
    if (!hasLambda(node) || !holdsQuery(node)) return true;
    throw unsupported("a subquery in what a lambda computes", node.span, "Compute it in a subquery in FROM.");
  });
}

/** Whether a node is printed with a lambda, by its template or by `print.ts`. */
function hasLambda(node: SyntaxNode): boolean {
  if (node.kind === "spelled") return node.template.text.includes("->");
  if (node.kind === "function") return node.call.name[0]?.name === NUMBERED;
  const name = node.kind === "call" ? node.name[0]?.name : undefined;
  return name === BOUND_ONCE || name === SORTED;
}
