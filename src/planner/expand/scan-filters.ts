/**
 * Conditions by which rows of a file can be skipped: comparisons of one column with constants, which are never true for
 * NULL.
 */

import type { ScanFilter, ScanValue } from "../plan.ts";
import { countStep } from "../plan-budget.ts";
import type { Binary, Expression, TypedLiteral } from "../syntax/tree.ts";

/** The column of a condition, with the name of its table. */
export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

export interface TableFilter extends ColumnName {
  readonly operator: ScanFilter["operator"];
  readonly values: readonly ScanValue[];
}

const TURNED: Readonly<Record<string, ScanFilter["operator"]>> = {
  "=": "=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** All filters on single columns that must hold for `condition` to be true. */
export function filtersOf(condition: Expression | undefined): readonly TableFilter[] {
  countStep();
  if (condition === undefined) return [];
  switch (condition.kind) {
    case "logical":
      return condition.operator === "and" ? condition.operands.flatMap(filtersOf) : [];
    case "binary":
      return comparison(condition);
    case "between": {
      const { negated, symmetric, operand, low, high } = condition;
      if (negated || symmetric) return [];
      return [...filter(operand, ">=", [low]), ...filter(operand, "<=", [high])];
    }
    case "in-list":
      return condition.negated ? [] : filter(condition.operand, "=", condition.list);
    case "bound":
    case "column":
      return truth(condition, true);
    case "unary":
      return condition.operator === "not" ? truth(condition.operand, false) : [];
    default:
      return [];
  }
}

/** The conditions that all have to be true where `condition` has to be. */
export function conjunctsOf(condition: Expression | undefined): readonly Expression[] {
  if (condition === undefined) return [];
  if (condition.kind !== "logical" || condition.operator !== "and") return [condition];
  // An AND may itself be the condition of one rule.
  return [condition, ...condition.operands.flatMap(conjunctsOf)];
}

/** Table and column name; undefined for other expressions, or if the column may belong to another table. */
export function columnNamed(expression: Expression): ColumnName | undefined {
  if (expression.kind === "bound") {
    const { relation, printedName } = expression.column;
    return { table: relation.printedAlias.toLowerCase(), column: printedName.toLowerCase() };
  }
  if (expression.kind !== "column" || expression.wholeRow === true) return undefined;
  const [table, column, ...more] = expression.parts;
  if (table === undefined || column === undefined || more.length > 0) return undefined;
  return { table: table.name.toLowerCase(), column: column.name.toLowerCase() };
}

function comparison({ operator, left, right }: Binary): readonly TableFilter[] {
  const turned = TURNED[operator];
  if (turned === undefined) return [];
  const found = filter(left, operator as ScanFilter["operator"], [right]);
  return found.length > 0 ? found : filter(right, turned, [left]);
}

function truth(operand: Expression, value: boolean): readonly TableFilter[] {
  const column = columnNamed(operand);
  return column === undefined ? [] : [{ ...column, operator: "=", values: [{ kind: "boolean", value }] }];
}

function filter(
  operand: Expression,
  operator: ScanFilter["operator"],
  others: readonly Expression[],
): readonly TableFilter[] {
  const column = columnNamed(operand);
  const values = others.map(constant);
  if (column === undefined || values.length === 0) return [];
  return values.every((value) => value !== undefined) ? [{ ...column, operator, values }] : [];
}

function constant(expression: Expression): ScanValue | undefined {
  switch (expression.kind) {
    case "boolean":
      return { kind: "boolean", value: expression.value };
    case "number":
      return { kind: "number", text: expression.text };
    case "unary": {
      const { operator, operand } = expression;
      return operator === "-" && operand.kind === "number" ? { kind: "number", text: `-${operand.text}` } : undefined;
    }
    case "string":
      return { kind: "text", text: expression.value };
    case "typed":
      return moment(expression);
    default:
      return undefined;
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?:\+00)?$/;

/** In the one form that lowering gives them. */
function moment({ typeName, value }: TypedLiteral): ScanValue | undefined {
  if (typeName.name === "date") return DAY.test(value) ? { kind: "date", text: value } : undefined;
  if (!typeName.name.startsWith("timestamp")) return undefined;
  const [, text] = INSTANT.exec(value) ?? [];
  return text === undefined ? undefined : { kind: "timestamp", text };
}
