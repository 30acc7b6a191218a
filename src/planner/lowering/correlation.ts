/** What a subquery has of the queries around it, in a statement that is lowered: aliases differ from all that are around them. */
import { unsupported } from "../diagnostics.ts";
import type { BoundColumn, Query } from "../syntax/tree.ts";
import { type SyntaxNode, someNode, walk } from "../syntax/walk.ts";

/** Whether something in it is of a query around it. */
export const isCorrelated = (query: Query): boolean => outerColumns(query).length > 0;

export function aliasesOf(query: Query): ReadonlySet<string> {
  const own = new Set<string>();
  walk(query, (node) => {
    if ("alias" in node && node.alias !== undefined && "name" in node.alias) {
      const { name } = node.alias;
      own.add(typeof name === "string" ? name : name.name);
    }
    // Without an alias it is called as it is.
    if (node.kind === "bound-common" && node.alias === undefined) own.add(node.table.printedName);
    return true;
  });
  return own;
}

export function outerColumns(query: Query): readonly BoundColumn[] {
  const own = aliasesOf(query);
  const found: BoundColumn[] = [];
  walk(query, (node: SyntaxNode) => {
    if (node.kind === "bound" && !own.has(aliasOf(node))) found.push(node);
    return true;
  });
  return found;
}

/** Whether a query in it may see the columns of another. */
export function hasSubqueries(statement: Query): boolean {
  return someNode(statement, (node) => (node.kind === "derived" ? node.lateral : SUBQUERIES.has(node.kind)));
}

const SUBQUERIES: ReadonlySet<SyntaxNode["kind"]> = new Set([
  "exists",
  "scalar-query",
  "in-query",
  "quantified",
  "array-query",
]);

/** For targets where a subquery sees the query around it, and none that is further out. LATERAL is a subquery to them. */
export function refuseFarColumns(statement: Query): void {
  for (const outer of subqueriesOf(statement)) refuseBeyond(outer);
}

function refuseBeyond(outer: Query): void {
  const inner = subqueriesOf(outer);
  if (inner.length === 0) return;
  const near = aliasesOf(outer);
  for (const query of inner) {
    const far = outerColumns(query).find((column) => !near.has(aliasOf(column)));
    if (far !== undefined) {
      throw unsupported("a column of a query that is two further out", far.span, "Join the tables in one subquery.");
    }
    refuseBeyond(query);
  }
}

/** Those that see the query's columns, and stand in none that does. */
function subqueriesOf(query: Query): readonly Query[] {
  const found: Query[] = [];
  const visit = (node: SyntaxNode): boolean => {
    if (node.kind === "derived" && node.lateral) found.push(node.query);
    else if (node.kind === "exists" || node.kind === "scalar-query") found.push(node.query);
    else if (node.kind === "in-query") {
      found.push(node.query);
      walk(node.operand, visit);
    } else return true;
    return false;
  };
  walk(query, visit);
  return found;
}

const aliasOf = ({ column }: BoundColumn): string => column.relation.printedAlias;
