/**
 * Outer joins, which require an equality of both sides on ClickHouse: the result of `ignore` for any value is one. Seen on
 * ClickHouse 26.7.
 */
import type { RelationColumn } from "../../binding/relation.ts";
import { call, comparison, logical, typed } from "../../syntax/build.ts";
import type { BoundColumn, Expression, Join, TableExpression } from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, walk } from "../../syntax/walk.ts";
import { INTEGER } from "../../types.ts";

export function withEquality(node: Join): Join {
  const { on } = node;
  if (on === undefined || node.join === "inner" || node.join === "cross") return node;
  const [left, right] = [aliasesOf(node.left), aliasesOf(node.right)];
  const ofLeft = columnOf(on, left);
  const ofRight = columnOf(on, right);
  const isMet = (each: Expression): boolean => {
    if (each.kind !== "binary" || each.operator !== "=") return false;
    const sides = [each.left, each.right].map((side) => [columnOf(side, left), columnOf(side, right)]);
    return sides.every(([a, b]) => (a === undefined) !== (b === undefined)) && sides[0]?.[0] !== sides[1]?.[0];
  };
  if (ofLeft === undefined || ofRight === undefined || conjuncts(on).some(isMet)) return node;
  const ignored = (column: BoundColumn): Expression => call("ignore", [column], typed(INTEGER, on));
  const always = comparison(ignored(ofLeft), "=", ignored(ofRight), on);
  return { ...node, on: logical("and", [always, ...conjuncts(on)], on) };
}

export function aliasesOf(table: TableExpression): ReadonlySet<string> {
  if (table.kind === "join") return new Set([...aliasesOf(table.left), ...aliasesOf(table.right)]);
  if (table.kind === "bound-common" && table.alias === undefined) return new Set([table.table.printedName]);
  return new Set("alias" in table && table.alias !== undefined ? [table.alias.name.name] : []);
}

function columnOf(part: SyntaxNode, aliases: ReadonlySet<string>): BoundColumn | undefined {
  let found: BoundColumn | undefined;
  walk(part, (node) => {
    if (node.kind === "bound" && aliases.has((node.column as RelationColumn).relation.printedAlias)) found ??= node;
    return found === undefined;
  });
  return found;
}
