/** A tree of the planner as an outline: one node a line, with its type and the members that are no nodes. */
import type { Query } from "../../src/planner/syntax/tree.ts";
import { forEachChild, type SyntaxNode } from "../../src/planner/syntax/walk.ts";
import { describeType } from "../../src/planner/types.ts";

export function treeText(query: Query): string {
  const lines: string[] = [];
  const add = (node: SyntaxNode, depth: number): void => {
    const type = "type" in node && node.type !== undefined ? ` : ${describeType(node.type)}` : "";
    lines.push(`${"  ".repeat(depth)}${node.kind}${detailOf(node)}${type}`);
    forEachChild(node, (child) => add(child, depth + 1));
  };
  add(query, 0);
  return lines.join("\n");
}

function detailOf(node: SyntaxNode): string {
  switch (node.kind) {
    case "number":
      return ` ${node.text}`;
    case "string":
    case "typed":
      return ` '${node.value}'`;
    case "column":
      return ` ${node.parts.map(({ name }) => name).join(".")}`;
    case "bound":
      return ` ${node.column.relation.printedAlias}.${node.column.printedName}`;
    case "call":
    case "table":
    case "physical-table":
      return ` ${node.name.map(({ name }) => name).join(".")}`;
    case "function":
      return ` ${node.call.name.map(({ name }) => name).join(".")}`;
    case "binary":
    case "logical":
    case "unary":
      return ` ${node.operator}`;
    case "bound-model":
      return ` ${node.relation.printedAlias}`;
    case "bound-common":
      return ` ${node.table.printedName}`;
    case "cast":
      return ` to ${node.typeName.name}`;
    case "extract":
      return ` ${node.field}`;
    case "item":
      return node.alias === undefined ? "" : ` AS ${node.alias.name}`;
    default:
      return "";
  }
}
