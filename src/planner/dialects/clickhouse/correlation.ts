/** What a subquery and the rows around it have in common. */
import type { RelationColumn } from "../../binding/relation.ts";
import type { BoundColumn, Expression, Query, Select } from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, walk } from "../../syntax/walk.ts";

/** Whether something in it is of a query around it. */
export const isCorrelated = (query: Query): boolean => outerColumns(query).length > 0;

/** Aliases differ from all that are around them. */
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
    if (node.kind === "bound" && !own.has((node.column as RelationColumn).relation.printedAlias)) found.push(node);
    return true;
  });
  return found;
}

export function tableNames(query: Query): ReadonlySet<string> {
  const names = new Set<string>();
  walk(query, (node) => {
    if (node.kind === "bound-common") names.add(node.table.printedName);
    if (node.kind === "physical-table") names.add(node.name.at(-1)?.name ?? "");
    return true;
  });
  return names;
}

/** Equal in the row around and in the subquery. */
export interface MetColumns {
  readonly inner: Expression;
  readonly outer: Expression;
}

/** Where nothing but equalities in WHERE is about the rows around: these, and the other conditions. */
export function equalitiesOf(
  select: Select,
  query: Query,
): { readonly met: readonly MetColumns[]; readonly others: readonly Expression[] } | undefined {
  const own = aliasesOf(query);
  const isOf = (side: SyntaxNode, outer: boolean): boolean => {
    let is = false;
    walk(side, (each) => {
      is ||= each.kind === "bound" && own.has((each.column as RelationColumn).relation.printedAlias) !== outer;
      return !is;
    });
    return is;
  };
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  const met = conditions
    .filter((each) => isOf(each, true))
    .map((each): MetColumns | undefined => {
      if (each.kind !== "binary" || each.operator !== "=") return undefined;
      const [inner, outer] = isOf(each.left, true) ? [each.right, each.left] : [each.left, each.right];
      return isOf(inner, false) && !isOf(inner, true) && !isOf(outer, false) ? { inner, outer } : undefined;
    });
  const pairs = met.filter((pair) => pair !== undefined);
  if (pairs.length < met.length || isOf({ ...select, where: undefined }, true)) return undefined;
  return { met: pairs, others: conditions.filter((each) => !isOf(each, true)) };
}
