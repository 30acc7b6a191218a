/**
 * The number of fraction digits in a decimal's text. In PostgreSQL each value has its own, on other targets the column has one:
 * the texts are equal if every value of the expression has the same number.
 */

import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { countStep } from "../../plan-budget.ts";
import { digitsOf } from "../../syntax/number-parts.ts";
import type { Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { ColumnFacts } from "../column-facts.ts";
import { countOf } from "./written-counts.ts";

/** Maximum depth of columns behind columns. */
const DEEPEST = 50;

/** Beyond the maximum depth a scale is unknown, and remains so for the columns on the way. */
const COLUMN_SCALES = new ColumnFacts<number | undefined>();

/** `undefined` if it differs between rows, or is unknown. */
export function scaleOf(expression: Expression, depth = 0): number | undefined {
  countStep();
  const type = typeOrUnknown(expression);
  if (type.kind === "integer") return 0;
  if (type.kind !== "decimal" || depth > DEEPEST) return undefined;
  const of = (each: Expression): number | undefined => scaleOf(each, depth + 1);
  switch (expression.kind) {
    case "number":
      return digitsOf(expression.text)?.fraction.length;
    case "bound": {
      const { origins = [] } = expression.column;
      return origins.length === 0
        ? type.precision === undefined
          ? undefined
          : (type.scale ?? 0)
        : COLUMN_SCALES.of(expression.column, () => same(origins.map((each) => ofAny(each, of))));
    }
    case "cast": {
      const [precision, scale = 0] = expression.typeName.parameters;
      return precision === undefined ? of(expression.operand) : scale;
    }
    case "unary":
      return of(expression.operand);
    case "binary": {
      const [left, right] = [of(expression.left), of(expression.right)];
      if (left === undefined || right === undefined) return undefined;
      if (expression.operator === "*") return left + right;
      return "+-%".includes(expression.operator) ? Math.max(left, right) : undefined;
    }
    case "case":
      return same(
        [...expression.branches.map(({ then }) => then), ...(expression.otherwise ? [expression.otherwise] : [])].map(
          (each) => ofAny(each, of),
        ),
      );
    case "call": {
      const digits = findFunction(functionName(expression))?.digits;
      const [value, ...others] = expression.arguments.map((each) => each.value);
      if (value === undefined) return undefined;
      if (digits === "of the first") return of(value);
      if (digits === "of all") return same([value, ...others].map((each) => ofAny(each, of)));
      return digits === "asked for" && others[0] !== undefined ? countOf(others[0]) : undefined;
    }
    case "spelled":
      return typeof expression.template.scale === "number" ? expression.template.scale : undefined;
    default:
      return undefined;
  }
}

/** NULL fits any scale. */
const ANY = "any";

function ofAny(value: Expression, of: (each: Expression) => number | undefined): number | typeof ANY | undefined {
  return typeOrUnknown(value).kind === "null" ? ANY : of(value);
}

function same(scales: readonly (number | typeof ANY | undefined)[]): number | undefined {
  const told = scales.filter((each) => each !== ANY);
  const [first] = told;
  return typeof first === "number" && told.every((each) => each === first) ? first : undefined;
}
