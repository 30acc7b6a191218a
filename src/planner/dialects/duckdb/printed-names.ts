/** The names that tables and columns of a lowered statement are printed by. */
import { relationColumn } from "../../binding/relation.ts";
import { holdsQuery } from "../../lowering/templates/template.ts";
import type { Expression, TableExpression } from "../../syntax/tree.ts";
import { type SyntaxNode, someExpression, someNode } from "../../syntax/walk.ts";

interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** The name that a column is printed by; `undefined` for anything else. */
export function nameOf(node: SyntaxNode): ColumnName | undefined {
  if (node.kind === "bound") {
    return { table: relationColumn(node).relation.printedAlias, column: node.column.printedName };
  }
  const [table, column, ...others] = node.kind === "column" ? node.parts : [];
  return table === undefined || column === undefined || others.length > 0
    ? undefined
    : { table: table.name, column: column.name };
}

export function namesOf(table: TableExpression): readonly string[] {
  switch (table.kind) {
    case "join":
      return [...namesOf(table.left), ...namesOf(table.right)];
    case "bound-common":
      return [table.alias?.name.name ?? table.table.printedName];
    case "derived":
    case "function":
    case "physical-table":
    case "opaque-table":
      return table.alias === undefined ? [] : [table.alias.name.name];
    default:
      return [];
  }
}

export const isQuery = (node: SyntaxNode): boolean => node.kind === "query" || holdsQuery(node);

/** Whether an expression without subqueries names a table that is not among `own`. */
export function namesOuterTable(expression: Expression, own: ReadonlySet<string>): boolean {
  if (someNode(expression, isQuery)) return false;
  return someExpression(expression, (node) => {
    const name = nameOf(node);
    return name !== undefined && !own.has(name.table);
  });
}
