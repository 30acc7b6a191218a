/** The names that tables go by in a statement, for targets where what is read under one is the table that has it. */
import { type SyntaxNode, walk } from "../syntax/walk.ts";

/** In small letters; a common table that goes by its name has none. */
export function aliasesIn(nodes: readonly SyntaxNode[]): ReadonlySet<string> {
  const aliases = new Set<string>();
  for (const root of nodes) {
    walk(root, (node) => {
      const isNamed = node.kind === "derived" || node.kind === "physical-table" || node.kind === "function";
      if (isNamed && node.alias !== undefined) aliases.add(node.alias.name.name.toLowerCase());
      if (node.kind === "bound-common" && node.alias !== undefined && node.alias.name.name !== node.table.printedName)
        aliases.add(node.alias.name.name.toLowerCase());
      return true;
    });
  }
  return aliases;
}
