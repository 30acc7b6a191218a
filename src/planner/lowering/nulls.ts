/** NULLs sort last in both directions (semantics.md), written out only where the target differs and the key can be NULL. */

import { hasGroupingSets } from "../binding/grouping.ts";
import { isNullable } from "../binding/nullability.ts";
import { type RelationColumn, relationColumn } from "../binding/relation.ts";
import { isNull } from "../syntax/build.ts";
import { isComparison } from "../syntax/comparisons.ts";
import type { Expression, Select, SortItem } from "../syntax/tree.ts";
import { conjuncts } from "../syntax/walk.ts";
import type { Grammar } from "./grammar.ts";

/** Columns that cannot be NULL where a clause stands; `undefined` where anything can, whatever its expression says. */
export type NullFreeColumns = ReadonlySet<RelationColumn> | undefined;

/**
 * A needless NULLS LAST keeps PostgreSQL from walking an index backwards: an indexed top-10 took 887 ms with it and
 * 0.05 ms without. `excluded` are the columns that WHERE keeps from being NULL. A key of its own puts NULLs in their place
 * where there is no clause for it.
 */
export function lowerSortItem(item: SortItem, grammar: NullOrder, excluded: NullFreeColumns): readonly SortItem[] {
  const wanted = item.nulls ?? "last";
  const plain = { ...item, nulls: undefined };
  if (wanted === naturalPlace(item, grammar) || !canBeNull(item.expression, excluded)) return [plain];
  if (grammar.nullsClause) return [{ ...item, nulls: wanted }];
  // Positions of a SELECT are left for constants and values by chance (`binding/select.ts`): their NULLs are all or none.
  if (item.expression.kind === "number") return [plain];
  const { span } = item;
  return [
    { expression: isNull(item.expression, wanted === "first"), direction: undefined, nulls: undefined, span },
    plain,
  ];
}

type NullOrder = Pick<Grammar, "nullsSort" | "nullsClause">;

function naturalPlace({ direction }: SortItem, { nullsSort }: NullOrder): "first" | "last" | undefined {
  if (nullsSort === "as set") return undefined;
  if (nullsSort === "last") return "last";
  return (direction === "desc") === (nullsSort === "largest") ? "first" : "last";
}

/** Ordinals stand for output columns, about which nothing is known here. */
function canBeNull(expression: Expression, excluded: NullFreeColumns): boolean {
  if (expression.kind === "number" || excluded === undefined) return true;
  if (expression.kind === "bound" && excluded.has(relationColumn(expression))) return false;
  return isNullable(expression);
}

/**
 * Columns that a conjunct of WHERE compares, so that rows where they are NULL are gone. Grouping sets make every key
 * NULL again in the rows above its own level, keys that are expressions and constants included.
 */
export function nullFreeColumns(select: Select): NullFreeColumns {
  if (hasGroupingSets(select)) return undefined;
  const columns = new Set<RelationColumn>();
  const add = (expression: Expression): void => {
    if (expression.kind === "bound") columns.add(relationColumn(expression));
  };
  for (const conjunct of select.where === undefined ? [] : conjuncts(select.where)) {
    switch (conjunct.kind) {
      case "binary":
        if (isComparison(conjunct.operator)) {
          add(conjunct.left);
          add(conjunct.right);
        }
        break;
      case "between":
        if (!conjunct.negated) add(conjunct.operand);
        break;
      case "like":
      case "in-list":
        add(conjunct.operand);
        break;
      case "in-query":
        // NULL NOT IN (no rows) is true.
        if (!conjunct.negated) add(conjunct.operand);
        break;
      case "is":
        if (conjunct.test === "null" && conjunct.negated) add(conjunct.operand);
        break;
      default:
    }
  }
  return columns;
}
