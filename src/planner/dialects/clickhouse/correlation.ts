/** The conditions that correlate a subquery with the outer rows. */
import type { RelationColumn } from "../../binding/relation.ts";
import { aliasesOf } from "../../lowering/queries/correlation.ts";
import type { Expression, Query, Select } from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, someNode, walk } from "../../syntax/walk.ts";

export function tableNames(query: Query): ReadonlySet<string> {
  const names = new Set<string>();
  walk(query, (node) => {
    if (node.kind === "bound-common") names.add(node.table.printedName);
    if (node.kind === "physical-table") names.add(node.name.at(-1)?.name ?? "");
    return true;
  });
  return names;
}

/** A pair of expressions that are equal in the outer row and in the subquery. */
export interface MetColumns {
  readonly inner: Expression;
  readonly outer: Expression;
}

/** The equalities with outer rows, and the other conditions, if WHERE refers to outer rows only in equalities. */
export function equalitiesOf(
  select: Select,
  query: Query,
): { readonly met: readonly MetColumns[]; readonly others: readonly Expression[] } | undefined {
  const own = aliasesOf(query);
  const isOf = (side: SyntaxNode, outer: boolean): boolean =>
    someNode(
      side,
      (each) => each.kind === "bound" && own.has((each.column as RelationColumn).relation.printedAlias) !== outer,
    );
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
