/**
 * Detects table names that ClickHouse resolves as aliases: an alias captures references to a table of the same name wherever it
 * is visible, also in FROM. Seen on 26.7: in the same FROM, and in subqueries of its SELECT (`EXISTS (SELECT 1 FROM t AS z …)`
 * below the alias `t`), not in derived tables.
 */
import { unsupported } from "../../diagnostics.ts";
import type { Query, TableExpression } from "../../syntax/tree.ts";
import { forEachChild, type SyntaxNode } from "../../syntax/walk.ts";

const NONE: ReadonlySet<string> = new Set();

/** Aliases and table names of a statement, at any position. */
export class TableNames {
  readonly #aliases = new Set<string>();
  readonly #names = new Set<string>();

  add(table: TableExpression): void {
    const alias = ownAliasOf(table);
    const name = nameOf(table);
    if (alias !== undefined) this.#aliases.add(alias);
    if (name !== undefined) this.#names.add(name);
  }

  /** Whether a name is used as both: only then their positions matter. */
  meet(): boolean {
    return [...this.#aliases].some((alias) => this.#names.has(alias));
  }
}

/** Throws if a name would be captured. */
export function refuseCapture(statement: Query): void {
  const aliases = new Set<string>();
  const common = new Set<string>();
  const apart = (taken: ReadonlySet<string>, names: Iterable<string>): void => {
    const alias = taken.size === 0 ? undefined : [...names].find((each) => taken.has(each));
    if (alias === undefined) return;
    throw unsupported(`the alias "${alias}" beside a table of that name`, statement.span, "Choose another alias.");
  };
  const look = (node: SyntaxNode, outer: ReadonlySet<string>): void => {
    let visible = outer;
    if (node.kind === "derived") visible = NONE;
    // It is not known for every position whether aliases are visible in the query of a common table.
    if (node.kind === "bound-common") common.add(node.table.printedName);
    if (node.kind === "select") {
      const tables = node.from.flatMap(besideOneAnother);
      const own = tables.flatMap((table) => ownAliasOf(table) ?? []);
      visible = own.length > 0 ? new Set([...outer, ...own]) : outer;
      apart(
        visible,
        tables.flatMap((table) => nameOf(table) ?? []),
      );
      for (const alias of own) aliases.add(alias);
    }
    forEachChild(node, (child) => look(child, visible));
  };
  look(statement, NONE);
  apart(aliases, common);
}

const besideOneAnother = (table: TableExpression): readonly TableExpression[] =>
  table.kind === "join" ? [table.left, table.right].flatMap(besideOneAnother) : [table];

/** The name of a table that the database looks up. */
function nameOf(table: TableExpression): string | undefined {
  if (table.kind === "bound-common") return table.table.printedName;
  return table.kind === "physical-table" && table.name.length === 1 ? table.name[0]?.name : undefined;
}

/** An alias that differs from the table's name. */
function ownAliasOf(table: TableExpression): string | undefined {
  const alias = table.kind === "join" ? undefined : table.alias?.name.name;
  return alias === nameOf(table) ? undefined : alias;
}
