/** The aggregates that repeated rows change, and the rows that an aggregate is about. */

import { type RelationColumn, relationColumn } from "../binding/relation.ts";
import { findFunction } from "../functions/catalogue.ts";
import { countStep } from "../plan-budget.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { children } from "../syntax/walk.ts";

/** The input of the aggregate: the row that a value belongs to decides how often it should be counted. */
export interface Measure {
  readonly call: Call;
  /** The columns of its values; none when it counts rows (`count(*)`, `sum(CASE WHEN … THEN 1 ELSE 0 END)`). */
  readonly columns: readonly RelationColumn[];
  /** Counts rows or values, and does nothing else with them. */
  readonly isCount: boolean;
  readonly ignoresOneValue: boolean;
}

/**
 * The measure of an aggregate that repeated rows change. `undefined` for all others: DISTINCT, `min` and similar,
 * unknown functions, and arguments with a subquery, whose rows are other rows.
 */
export function measureOf(call: Call): Measure | undefined {
  const name = call.name[call.name.length - 1]?.name ?? "";
  const specification = findFunction(name);
  if (call.distinct || specification?.kind !== "aggregate" || specification.repetition === "indifferent")
    return undefined;
  const values = [
    ...call.arguments.map((argument) => argument.value),
    ...call.withinGroup.map((each) => each.expression),
  ];
  const columns: RelationColumn[] = [];
  if (!values.every((value) => collectValues(value, columns))) return undefined;
  return {
    call,
    columns,
    isCount: name === "count" || columns.length === 0,
    ignoresOneValue: specification.repetition === "indifferent to one value",
  };
}

/**
 * Adds the columns that the values of an expression are made of. Conditions choose among values and are none:
 * `sum(CASE WHEN l.flag = 'R' THEN o.total END)` adds up totals of orders, as the same sum with FILTER does.
 * `false` when a subquery has a part in it.
 */
export function collectValues(expression: Expression, columns: RelationColumn[]): boolean {
  countStep();
  switch (expression.kind) {
    case "bound": {
      const column = relationColumn(expression);
      if (!columns.includes(column)) columns.push(column);
      return true;
    }
    case "case":
      return (
        expression.branches.every((branch) => collectValues(branch.then, columns)) &&
        (expression.otherwise === undefined || collectValues(expression.otherwise, columns))
      );
    case "binary":
      return collectValues(expression.left, columns) && collectValues(expression.right, columns);
    case "in-query":
    case "quantified":
    case "exists":
    case "array-query":
    case "scalar-query":
      return false;
    default:
      return children(expression).every((child) => collectValues(child, columns));
  }
}
