/**
 * Aggregates of measures in a SELECT over a cube alone, as reporting tools write them: `SELECT state, sum(revenue) … GROUP BY state`.
 * Each group has one value of a measure, and an aggregate that the measure is made of gives it again: sum of sums, min of min.
 */
import { isLiteral } from "../access/literals.ts";
import { PlannerError } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import { cast } from "../syntax/build.ts";
import type { BoundColumn, Call, Expression } from "../syntax/tree.ts";
import { BIGINT, NUMERIC } from "../types.ts";
import type { ExpressionBinding } from "./binding.ts";
import { typeOf } from "./coercion.ts";
import { type CubeColumn, CubeRelation } from "./cube-relation.ts";

/** The measure that a bound aggregate of it gives; `undefined` for any other call. Throws INVALID_QUERY with the reason. */
export function aggregateOfMeasure(call: Call, { scope, clause }: ExpressionBinding): Expression | undefined {
  const argument = call.arguments[0];
  const measure = argument === undefined || call.arguments.length > 1 ? undefined : measureIn(argument.value);
  if (measure === undefined || call.over !== undefined) return undefined;
  const { relation } = measure.column;
  if (scope.namespace.relations.length !== 1 || scope.namespace.relations[0] !== relation) return undefined;
  const name = functionName(call);
  const repeated = REPEATED.get(name);
  if (repeated === undefined || call.distinct || call.filter !== undefined || !clause.aggregates) return undefined;
  if (repeated.by(measure.column.expression)) return asAggregated(measure, name);
  throw new PlannerError(
    "INVALID_QUERY",
    `measure "${measure.column.name}" is an aggregate already, and ${name} of it has no one meaning: ${repeated.reason}`,
    {
      span: measure.span,
      hint: `Write ${measure.column.name} or MEASURE(${measure.column.name}), or aggregate the rows of a subquery over the cube.`,
    },
  );
}

/** `sum` of a bigint is a numeric, of which a quotient has a fraction. As a column of the answer the measure is itself. */
const asAggregated = (measure: MeasureUse, name: string): Expression =>
  name === "sum" && isBigint(measure) ? cast(measure, "numeric", { span: measure.span, type: NUMERIC }) : measure;

/** A select item that consists of such a `sum`. */
export function asSelectedMeasure(written: Expression, bound: Expression): Expression {
  if (written.kind !== "call" || functionName(written) !== "sum" || bound.kind !== "cast") return bound;
  return measureIn(bound.operand) ?? bound;
}

type MeasureUse = BoundColumn & { readonly column: CubeColumn };

function measureIn(expression: Expression): MeasureUse | undefined {
  if (expression.kind !== "bound" || !(expression.column.relation instanceof CubeRelation)) return undefined;
  const use = expression as MeasureUse;
  return use.column.member.kind === "measure" ? use : undefined;
}

function isBigint(measure: Expression): boolean {
  const type = typeOf(measure);
  return type.kind === BIGINT.kind && "bits" in type && type.bits === 64;
}

/** The aggregates that repeat a measure, by which measures, and why they refuse others. */
const REPEATED: ReadonlyMap<string, { readonly by: (measure: Expression) => boolean; readonly reason: string }> =
  new Map([
    ["sum", { by: addsUp, reason: "only sums and counts of rows add up" }],
    ["min", { by: (measure: Expression) => isCallOf("min", measure), reason: "its groups have no least value" }],
    ["max", { by: (measure: Expression) => isCallOf("max", measure), reason: "its groups have no greatest value" }],
  ]);

function isCallOf(name: string, measure: Expression): boolean {
  if (measure.kind === "cast") return isCallOf(name, measure.operand);
  return measure.kind === "call" && measure.over === undefined && functionName(measure) === name;
}

/** Whether the total over all rows is the sum over their parts. */
function addsUp(measure: Expression): boolean {
  switch (measure.kind) {
    case "cast":
      return addsUp(measure.operand);
    case "unary":
      return measure.operator === "-" && addsUp(measure.operand);
    case "binary": {
      const { operator, left, right } = measure;
      if (operator === "+" || operator === "-") return addsUp(left) && addsUp(right);
      if (operator === "*") return (addsUp(left) && isLiteral(right)) || (isLiteral(left) && addsUp(right));
      return operator === "/" && addsUp(left) && isLiteral(right);
    }
    case "call": {
      const name = functionName(measure);
      if (name === "sum" || name === "count") return !measure.distinct && measure.over === undefined;
      const [first, ...others] = measure.arguments.map(({ value }) => value);
      return name === "coalesce" && first !== undefined && addsUp(first) && others.every(isLiteral);
    }
    default:
      return false;
  }
}
