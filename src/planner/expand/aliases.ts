/** Aliases of tables in a statement, for targets where an alias captures references to a table of the same name. */
import { type SyntaxNode, walk } from "../syntax/walk.ts";

/** In lower case; a common table without an alias has none. */
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
