/**
 * Properties of decimals: whether a target without decimals of arbitrary length computes a decimal in double precision, and
 * whether its digits come from a text. Each target decides what follows.
 */
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { carriesDigits } from "../../functions/specification.ts";
import type { Expression, QueryBody } from "../../syntax/tree.ts";

/**
 * Whether a bound expression has a decimal type but is computed as a double: whether its value depends on a double. The columns
 * behind columns are visited with an explicit stack and once each, because chains of common tables have any length and may double
 * at every step.
 */
export function isInexactDecimal(expression: Expression): boolean {
  return carries(expression, carriedBy);
}

/**
 * Whether the fraction digits come from a text, so that only the rows determine their number. Where the target declares their
 * number, the value would have more digits than PostgreSQL shows.
 */
export function isReadFromText(expression: Expression): boolean {
  return carries(expression, (each) => {
    if (each.kind === "cast" && each.type?.kind === "decimal" && each.type.precision === undefined) {
      const { operand } = each;
      if (operand.type?.kind === "text") return operand.kind === "string" ? [] : "found";
    }
    const carried = carriedBy(each);
    return carried === "found" ? [] : carried;
  });
}

function carries(expression: Expression, carriedBy: (each: Expression) => readonly Expression[] | "found"): boolean {
  // Fast path, because every comparison calls this: most values are not decimals, or are columns of tables.
  if (expression.type?.kind !== "decimal") return false;
  if (carriedBy(expression).length === 0) return false;
  const visited = new Set<unknown>();
  const pending: Expression[] = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.type?.kind !== "decimal") continue;
    if (next.kind === "bound") {
      if (visited.has(next.column)) continue;
      visited.add(next.column);
    }
    const carried = carriedBy(next);
    if (carried === "found") return true;
    pending.push(...carried);
  }
  return false;
}

/** The operands that a decimal's exactness depends on; `found` if it is computed as a double. */
function carriedBy(expression: Expression): readonly Expression[] | "found" {
  switch (expression.kind) {
    case "bound":
      return expression.column.origins ?? [];
    case "binary":
      if (expression.operator === "/" || expression.operator === "^") return "found";
      return [expression.left, expression.right];
    case "unary":
      return [expression.operand];
    case "cast":
      // A bare `numeric` keeps its operand's digits; a precision sets them.
      if (expression.typeName.parameters.length > 0) return [];
      if (expression.typeName.name === "double precision") return "found";
      return expression.operand.type?.kind === "float" ? "found" : [expression.operand];
    case "case":
      return [
        ...expression.branches.map((branch) => branch.then),
        ...(expression.otherwise === undefined ? [] : [expression.otherwise]),
      ];
    case "call": {
      const specification = findFunction(functionName(expression));
      if (specification?.digits === "computed") return "found";
      const carried = specification !== undefined && carriesDigits(specification);
      return carried ? expression.arguments.map((argument) => argument.value) : [];
    }
    case "spelled":
      return expression.template.scale === "computed" ? "found" : [];
    case "scalar-query":
      return firstColumn(expression.query.body);
    default:
      return [];
  }
}

function firstColumn(body: QueryBody): readonly Expression[] {
  switch (body.kind) {
    case "select":
      return body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
    case "set":
      return [...firstColumn(body.left), ...firstColumn(body.right)];
    case "values":
      return body.rows.flat();
    case "nested":
      return firstColumn(body.query.body);
    default:
      return body satisfies never;
  }
}
