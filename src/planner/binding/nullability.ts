/** Whether a bound expression can be NULL: decides where NULLS LAST is needed and what the plan promises. */

import { findFunction } from "../functions/catalogue.ts";
import { countStep } from "../plan-budget.ts";
import type { Expression } from "../syntax/tree.ts";
import { relationColumn } from "./relation.ts";

/** `false` only where NULL is impossible; everything uncertain is nullable. */
export function isNullable(expression: Expression): boolean {
  countStep();
  switch (expression.kind) {
    case "number":
    case "string":
    case "boolean":
    case "bits":
    case "typed":
    case "exists":
    case "array":
    case "array-query":
    case "row":
      return false;
    case "interval":
      return isNullable(expression.value);
    case "bound": {
      const column = relationColumn(expression);
      return !column.notNull || column.relation.outer;
    }
    case "is":
      return false;
    case "unary":
      return isNullable(expression.operand);
    case "binary":
      switch (expression.operator) {
        case "is distinct from":
        case "is not distinct from":
          return false;
        // A division by zero is NULL on some engines; JSON access misses.
        case "/":
        case "//":
        case "%":
        case "->":
        case "->>":
        case "#>":
        case "#>>":
          return true;
        default:
          return isNullable(expression.left) || isNullable(expression.right);
      }
    case "logical":
      return expression.operands.some(isNullable);
    case "like":
      return isNullable(expression.operand) || isNullable(expression.pattern);
    case "between":
      return isNullable(expression.operand) || isNullable(expression.low) || isNullable(expression.high);
    case "in-list":
      return isNullable(expression.operand) || expression.list.some(isNullable);
    case "cast":
      return expression.safe || isNullable(expression.operand);
    case "case":
      return (
        expression.otherwise === undefined ||
        isNullable(expression.otherwise) ||
        expression.branches.some((branch) => isNullable(branch.then))
      );
    case "call": {
      const [name] = expression.name;
      if (name === undefined || expression.name.length > 1) return true;
      if (name.name === "coalesce") return expression.arguments.every((argument) => isNullable(argument.value));
      const specification = findFunction(name.name);
      if (specification === undefined || specification.kind === "table") return true;
      if (specification.nulls === "never") return false;
      return specification.nulls === "possible" || expression.arguments.some((argument) => isNullable(argument.value));
    }
    case "spelled": {
      const { nulls } = expression.template;
      return nulls !== "never" && (nulls !== "strict" || expression.parts.some(isNullable));
    }
    case "null":
    case "column":
    case "session":
    case "in-query":
    case "quantified":
    case "extract":
    case "subscript":
    case "slice":
    case "field":
    case "scalar-query":
    case "collate":
    case "at-time-zone":
    case "opaque":
      return true;
    default:
      return expression satisfies never;
  }
}
