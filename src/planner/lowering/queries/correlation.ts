/** Outer columns of subqueries in a bound or lowered statement, where every alias differs from all aliases around it. */
import { unsupported } from "../../diagnostics.ts";
import type { BoundColumn, Query } from "../../syntax/tree.ts";
import { type SyntaxNode, walk } from "../../syntax/walk.ts";

/** Whether the query refers to a query around it. */
export const isCorrelated = (query: Query): boolean => outerColumns(query).length > 0;

export function aliasesOf(query: Query): ReadonlySet<string> {
  const own = new Set<string>();
  walk(query, (node) => {
    addAlias(node, own);
    return true;
  });
  return own;
}

function addAlias(node: SyntaxNode, own: Set<string>): void {
  if ("alias" in node && node.alias !== undefined && "name" in node.alias) {
    const { name } = node.alias;
    own.add(typeof name === "string" ? name : name.name);
  }
  // Without an alias the common table has its own name.
  if (node.kind === "bound-common" && node.alias === undefined) own.add(node.table.printedName);
  // A query that is not lowered yet names models.
  if (node.kind === "bound-model") own.add(node.relation.printedAlias);
}

/** Columns of outer queries that the query uses. It may be bound or lowered. */
export function outerColumns(query: Query): readonly BoundColumn[] {
  const own = new Set<string>();
  const columns: BoundColumn[] = [];
  walk(query, (node) => {
    addAlias(node, own);
    if (node.kind === "bound") columns.push(node);
    return true;
  });
  return columns.filter((column) => !own.has(aliasOf(column)));
}

/** Kinds of expressions with a query in them. */
export const SUBQUERIES: ReadonlySet<SyntaxNode["kind"]> = new Set([
  "exists",
  "scalar-query",
  "in-query",
  "quantified",
  "array-query",
]);

/** For targets where a subquery can refer only to the directly enclosing query. LATERAL counts as a subquery on them. */
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

/** The subqueries that can refer to the query's columns, without those nested in another one. */
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

export const aliasOf = ({ column }: BoundColumn): string => column.relation.printedAlias;
