/**
 * Rows with rules in LATERAL: Spark refuses columns in LATERAL that are not deterministic, and such a column keeps expressions that may
 * fail away from excluded rows (`NON_DETERMINISTIC_LATERAL_SUBQUERIES`, docs/reference/access-rules.md).
 */
import { unsupported } from "../../diagnostics.ts";
import { NUMBER_AS_IT_COMES } from "../../expand/fence.ts";
import type { Query } from "../../syntax/tree.ts";
import { type SyntaxNode, someNode, walk } from "../../syntax/walk.ts";

/** The statement as it is; throws where Spark would refuse it. */
export function withoutLateralRules(statement: Query): Query {
  walk(statement, (node) => {
    if (node.kind !== "derived" || !node.lateral || !isFenced(node)) return true;
    throw unsupported("LATERAL over rows with rules", node.span, "Join them, or use a subquery in WHERE or SELECT.");
  });
  return statement;
}

function isFenced(table: SyntaxNode): boolean {
  return someNode(table, (node) => node.kind === "call" && node.name[0]?.name === NUMBER_AS_IT_COMES);
}
