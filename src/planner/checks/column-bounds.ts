/** Values that conditions hold between two columns of one relation: `o.at >= p.valid_from AND o.at < p.valid_to`. */

import type { RelationColumn } from "../binding/relation.ts";
import { sameExpression } from "../binding/same.ts";
import { countStep } from "../plan-budget.ts";
import type { Expression } from "../syntax/tree.ts";
import { columnOf } from "./equalities.ts";

export interface Bound {
  readonly column: RelationColumn;
  readonly side: "lower" | "upper";
  readonly value: Expression;
  /** Not true for a NULL in the column, which `coalesce(p.valid_to, …)` is. */
  readonly rejectsNull: boolean;
}

/** Columns that the condition compares with a value that they must not exceed, or not fall short of. */
export function boundsIn(condition: Expression): readonly Bound[] {
  countStep();
  switch (condition.kind) {
    case "logical": {
      if (condition.operator === "and") return condition.operands.flatMap(boundsIn);
      // `x < p.valid_to OR p.valid_to IS NULL`: the upper bound of a row that is still open.
      const [only, ...others] = condition.operands.filter((each) => !isNullTest(each));
      if (only === undefined || others.length > 0) return [];
      return boundsIn(only).map((bound) => ({ ...bound, rejectsNull: false }));
    }
    case "between":
      if (condition.negated || condition.symmetric) return [];
      return [...comparison(condition.low, condition.operand), ...comparison(condition.operand, condition.high)];
    case "binary":
      switch (condition.operator) {
        case "<":
        case "<=":
          return comparison(condition.left, condition.right);
        case ">":
        case ">=":
          return comparison(condition.right, condition.left);
        default:
          return [];
      }
    default:
      return [];
  }
}

function isNullTest(condition: Expression): boolean {
  return condition.kind === "is" && condition.test === "null" && !condition.negated;
}

function comparison(smaller: Expression, larger: Expression): readonly Bound[] {
  return [...boundOf(smaller, "lower", larger), ...boundOf(larger, "upper", smaller)];
}

function boundOf(expression: Expression, side: Bound["side"], value: Expression): readonly Bound[] {
  // `coalesce(p.valid_to, DATE '9999-12-31')` is an end that may be open.
  const isCoalesce = expression.kind === "call" && expression.name[0]?.name === "coalesce";
  const column = columnOf(isCoalesce ? (expression.arguments[0]?.value ?? expression) : expression);
  return column === undefined ? [] : [{ column, side, value, rejectsNull: !isCoalesce }];
}

/** The columns that are the lower end of an enclosure: another column of their relation is its upper end. */
export function enclosingColumns(bounds: readonly Bound[]): readonly RelationColumn[] {
  return bounds
    .filter(
      (lower) =>
        lower.side === "lower" &&
        bounds.some(
          (upper) =>
            upper.side === "upper" &&
            upper.column.relation === lower.column.relation &&
            sameExpression(upper.value, lower.value),
        ),
    )
    .map((bound) => bound.column);
}
