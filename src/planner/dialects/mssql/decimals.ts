/**
 * Decimals of at most 38 digits. The digits of a quotient depend on the declared lengths of both sides, and are six where these
 * are long: so both are declared anew, with room for eighteen digits before the point.
 * https://learn.microsoft.com/en-us/sql/t-sql/data-types/precision-scale-and-length-transact-sql
 */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { ColumnFacts } from "../../lowering/column-facts.ts";
import { mostDigits } from "../../lowering/numbers/most-digits.ts";
import { countStep } from "../../plan-budget.ts";
import { binary, cast, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Binary, Call, Cast, Expression } from "../../syntax/tree.ts";
import { DOUBLE, NUMERIC, typeOrUnknown } from "../../types.ts";

export const MAX_PRECISION = 38;
const WHOLE = 18;
/** SQL Server keeps at least so many digits of a quotient. */
const FEWEST = 6;

/** `undefined`: as it is, for a side of it is a double there, whatever PostgreSQL computes. */
export function quotient(node: Binary): Expression | undefined {
  if (isDouble(node.left) || isDouble(node.right)) return undefined;
  const [left, right] = [scaleOf(node.left), scaleOf(node.right)];
  if (
    left === undefined ||
    right === undefined ||
    WHOLE + right > MAX_PRECISION - FEWEST ||
    WHOLE + left > MAX_PRECISION
  ) {
    return ofDoubles(node);
  }
  const wide = (side: Expression, scale: number): Expression =>
    cast(isDeclared(side) ? side.operand : side, "numeric", typed(NUMERIC, side), [WHOLE + scale, scale]);
  return binary(wide(node.left, left), "/", wide(node.right, right), inPlaceOf(node));
}

/** Sides whose digits are unknown, or many, are divided as doubles; digits beyond the fifteenth behind the point are their error. */
function ofDoubles(node: Binary): Expression {
  const [left = node.left, right = node.right] = [node.left, node.right].map((side) =>
    cast(side, "double precision", typed(DOUBLE, side)),
  );
  return cast(binary(left, "/", right, typed(DOUBLE, node)), "numeric", inPlaceOf(node), [
    MAX_PRECISION,
    DOUBLE_DIGITS,
  ]);
}

const DOUBLE_DIGITS = 15;

const DOUBLES: ReadonlySet<string> = new Set("stdev stdevp var varp power sqrt exp log log10 square".split(" "));

const COLUMNS_OF_DOUBLES = new ColumnFacts<boolean>();

/** Computed in double precision, where PostgreSQL has a decimal. */
function isDouble(node: Expression): boolean {
  countStep();
  switch (node.kind) {
    case "call":
      return DOUBLES.has(functionName(node)) || (CARRIES.has(functionName(node)) && node.arguments.some(valueIsDouble));
    case "binary":
      return isDouble(node.left) || isDouble(node.right);
    case "unary":
      return isDouble(node.operand);
    case "bound": {
      const { column } = node;
      return COLUMNS_OF_DOUBLES.of(column, () => column.origins?.some(isDouble) ?? false);
    }
    default:
      return false;
  }
}

const CARRIES: ReadonlySet<string> = new Set("nullif coalesce abs round sum min max avg".split(" "));

const valueIsDouble = ({ value }: Call["arguments"][number]): boolean => isDouble(value);

/** Room before the point of a sum: what it meets keeps its digits behind the point, which 38 in all would take from it. */
const WHOLE_OF_SUM = 22;

/** `sum` of decimals has 38 digits there, and whatever has more behind the point is rounded where the two meet. */
export function declaredSum(sum: Call, value: Expression): Expression {
  if (isDouble(value)) return sum;
  const scale = scaleOf(value);
  if (scale === undefined) {
    const hint = "Write CAST(… AS numeric(18, 2)), or round(…), of what is summed.";
    throw unsupported("a sum whose digits are unknown", sum.span, hint);
  }
  return cast(sum, "numeric", typed(NUMERIC, sum), lengthsOfSum(scale));
}

/** Precision and scale. */
export function lengthsOfSum(scale: number): readonly [number, number] {
  const digits = Math.min(scale, MAX_PRECISION - WHOLE_OF_SUM);
  return [WHOLE_OF_SUM + digits, digits];
}

/** A cast of this dialect's own: nobody wrote its lengths. */
function isDeclared(node: Expression): node is Cast {
  const type = typeOrUnknown(node);
  const hasLengths = node.kind === "cast" && node.typeName.parameters.length > 0;
  return hasLengths && type.kind === "decimal" && type.precision === undefined && node.operand.kind === "call";
}

/** A value that stands beside another, in a column as wide as both need. */
export function asWideAs(value: Expression, other: Expression): Expression {
  const [own, wanted] = [scaleOf(value), scaleOf(other)];
  if (own === undefined || wanted === undefined || wanted <= own) return value;
  return cast(value, "numeric", typed(NUMERIC, value), [WHOLE + wanted, wanted]);
}

/**
 * A product with more than six digits behind the point loses those that have no room among 38, by the lengths that are
 * declared.
 */
export function product(node: Binary): Expression | undefined {
  const [left, right] = [scaleOf(node.left), scaleOf(node.right)];
  if (left === undefined || right === undefined || left + right <= FEWEST) return undefined;
  if (precisionOf(node.left) + precisionOf(node.right) < MAX_PRECISION) return undefined;
  const whole = Math.floor((MAX_PRECISION - 1 - left - right) / 2);
  if (whole < FEWEST) throw unsupported(`a product with ${left + right} digits`, node.span, "Round its factors.");
  const narrow = (side: Expression, scale: number): Expression =>
    cast(side, "numeric", typed(NUMERIC, side), [whole + scale, scale]);
  return binary(narrow(node.left, left), "*", narrow(node.right, right), inPlaceOf(node));
}

/** At most, where nothing tells. */
function precisionOf(node: Expression): number {
  countStep();
  const type = typeOrUnknown(node);
  if (node.kind === "number") return node.text.replace(".", "").length;
  if (type.kind === "integer") return type.bits < 64 ? 10 : 19;
  if (node.kind === "cast" && node.typeName.parameters[0] !== undefined) return node.typeName.parameters[0];
  if (type.kind === "decimal" && type.precision !== undefined) return type.precision;
  if (node.kind === "binary" && (node.operator === "+" || node.operator === "-")) {
    const whole = Math.max(...[node.left, node.right].map((side) => precisionOf(side) - (scaleOf(side) ?? 0)));
    return Math.min(MAX_PRECISION, whole + (scaleOf(node) ?? 0) + 1);
  }
  if (node.kind === "binary" && node.operator === "*") {
    return Math.min(MAX_PRECISION, precisionOf(node.left) + precisionOf(node.right) + 1);
  }
  return MAX_PRECISION;
}

/** See `mostDigits`. */
export const scaleOf = mostDigits({
  ofQuotient: (_, divisor) => MAX_PRECISION - WHOLE - divisor,
  ofAverage: (scale) => Math.max(scale, FEWEST),
});
