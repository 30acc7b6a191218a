/**
 * Decimals that a target computes in double precision. DuckDB divides decimals as doubles, so `avg(price)` of 1.005
 * is the double 1.00499…9 and `round(…, 2)` would give 1.00 where PostgreSQL gives 1.01. Where digits decide (round,
 * casts, floor), the value is first brought back to its 15 significant digits, which every such double holds.
 */
import type { RelationColumn } from "../binding/relation.ts";
import { call, cast, text } from "../syntax/build.ts";
import type { Expression } from "../syntax/tree.ts";

/** Aggregates and functions that are exact in PostgreSQL over decimals and double elsewhere. */
const DOUBLE_FUNCTIONS: ReadonlySet<string> = new Set(
  "avg stddev_samp stddev_pop var_samp var_pop sqrt exp ln log log10 power".split(" "),
);

/** Functions whose result is as exact as their arguments. */
const CARRYING: ReadonlySet<string> = new Set(
  "sum min max abs coalesce nullif greatest least lag lead first_value last_value nth_value any_value mod".split(" "),
);

/** Whether a bound expression is a decimal by type and a double by computation. */
export function isInexactDecimal(expression: Expression): boolean {
  if (expression.type?.kind !== "decimal") return false;
  switch (expression.kind) {
    case "bound": {
      const { origins = [] } = expression.column as Partial<RelationColumn>;
      return origins.some(isInexactDecimal);
    }
    case "binary":
      return (
        expression.operator === "/" ||
        expression.operator === "^" ||
        isInexactDecimal(expression.left) ||
        isInexactDecimal(expression.right)
      );
    case "unary":
      return isInexactDecimal(expression.operand);
    case "cast":
      // A bare `numeric` keeps what it is given; a precision makes digits.
      return (
        expression.typeName.parameters.length === 0 &&
        (expression.operand.type?.kind === "float" || isInexactDecimal(expression.operand))
      );
    case "case":
      return (
        expression.branches.some((branch) => isInexactDecimal(branch.then)) ||
        (expression.otherwise !== undefined && isInexactDecimal(expression.otherwise))
      );
    case "call": {
      const name = expression.name[0]?.name ?? "";
      if (DOUBLE_FUNCTIONS.has(name)) return true;
      return CARRYING.has(name) && expression.arguments.some((argument) => isInexactDecimal(argument.value));
    }
    case "scalar-query":
      return true;
    default:
      return false;
  }
}

/** The double brought back to a decimal of its 15 significant digits, with room for `scale` of them after the point. */
export function exactDigits(expression: Expression, scale: number): Expression {
  const digits = call("format", [text("{:.15g}", expression), cast(expression, "double precision", expression)], {
    span: expression.span,
    type: { kind: "text" },
  });
  return cast(digits, "numeric", { span: expression.span, type: { kind: "decimal" } }, [
    38,
    Math.min(Math.max(scale, 15), 30),
  ]);
}
