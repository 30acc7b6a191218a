/**
 * WITH RECURSIVE lets a common table name one that comes after it. They are bound in an order in which each comes after
 * those that it names.
 */
import { PlannerError } from "../diagnostics.ts";
import type { CommonTable, Identifier } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";

export function inOrderOfUse(tables: readonly CommonTable[]): readonly CommonTable[] {
  const ordered: CommonTable[] = [];
  const open = new Set<CommonTable>();
  const place = (table: CommonTable): void => {
    if (ordered.includes(table)) return;
    if (open.has(table)) {
      throw new PlannerError("INVALID_QUERY", `common tables name each other: "${table.name.name}" needs itself`, {
        span: table.name.span,
        hint: "One common table may be recursive, and name itself.",
      });
    }
    open.add(table);
    for (const other of tables) if (other !== table && names(table, other.name)) place(other);
    open.delete(table);
    ordered.push(table);
  };
  for (const table of tables) place(table);
  return ordered;
}

function names({ query }: CommonTable, name: Identifier): boolean {
  let found = false;
  walk(query, (node) => {
    const [only, ...others] = node.kind === "table" ? node.name : [];
    found ||= only !== undefined && others.length === 0 && isSame(only, name);
    return !found;
  });
  return found;
}

function isSame(a: Identifier, b: Identifier): boolean {
  if (a.name === b.name) return true;
  return !a.quoted && !b.quoted && a.name.toLowerCase() === b.name.toLowerCase();
}
