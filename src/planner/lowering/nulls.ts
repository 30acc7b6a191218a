/**
 * NULLs sort last in both directions (docs/spec/language.md); this is written only if the target differs and the key can be NULL.
 */

import { hasGroupingSets } from "../binding/grouping.ts";
import { isNullable } from "../binding/nullability.ts";
import { type RelationColumn, relationColumn } from "../binding/relation.ts";
import { isNull } from "../syntax/build.ts";
import { isComparison } from "../syntax/comparisons.ts";
import type { Expression, Select, SortItem } from "../syntax/tree.ts";
import { conjuncts } from "../syntax/walk.ts";
import type { Grammar } from "./grammar.ts";

/** Columns that cannot be NULL in a clause; `undefined` if any value can be NULL, whatever its expression. */
export type NullFreeColumns = ReadonlySet<RelationColumn> | undefined;

/**
 * An unnecessary NULLS LAST keeps PostgreSQL from reading an index backwards: an indexed top-10 took 887 ms with it and 0.05 ms
 * without. `excluded` are the columns that WHERE keeps from being NULL. If the target has no clause for it, an additional sort
 * key orders the NULLs.
 */
export function lowerSortItems(
  items: readonly SortItem[],
  grammar: NullOrder,
  excluded: NullFreeColumns,
): readonly SortItem[] {
  // `flatMap` is slow in V8, and these are in most queries.
  const lowered: SortItem[] = [];
  for (const item of items) lowered.push(...lowerSortItem(item, grammar, excluded));
  return lowered;
}

function lowerSortItem(item: SortItem, grammar: NullOrder, excluded: NullFreeColumns): readonly SortItem[] {
  const wanted = item.nulls ?? "last";
  const plain = { ...item, nulls: undefined };
  if (wanted === naturalPlace(item, grammar) || !canBeNull(item.expression, excluded)) return [plain];
  if (grammar.nullsClause) return [{ ...item, nulls: wanted }];
  // Positions of a SELECT remain only for constants and random values (`binding/select.ts`): either all or none of their values
  // are NULL.
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

/** An ordinal refers to an output column, whose nullability is unknown here. */
function canBeNull(expression: Expression, excluded: NullFreeColumns): boolean {
  if (expression.kind === "number" || excluded === undefined) return true;
  if (expression.kind === "bound" && excluded.has(relationColumn(expression))) return false;
  return isNullable(expression);
}

/**
 * Columns that a conjunct of WHERE compares, so that rows with NULL in them are removed. Grouping sets make every key NULL in
 * rows of higher levels, including keys that are expressions and constants.
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
