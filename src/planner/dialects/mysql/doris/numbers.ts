/**
 * Numbers. Doris does not say what becomes of a whole number beyond its type, so none is computed where it could be: 64 bits are
 * computed in 128, and a strict cast back is an error where they do not fit. Decimals have up to 76 digits by a setting of the session;
 * a sum, a difference and a product keep those behind the point, a quotient and an average have so many more than their values.
 * https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/numeric/DECIMAL
 */

import { unsupported } from "../../../diagnostics.ts";
import { cutDouble } from "../../../lowering/numbers/half-to-even.ts";
import { mostDigits } from "../../../lowering/numbers/most-digits.ts";
import { sumOfReals } from "../../../lowering/numbers/reals.ts";
import { quotientOfDoubles, sureDigits } from "../../../lowering/numbers/sure-digits.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { plainDigits } from "../../../plain-digits.ts";
import { countStep } from "../../../plan-budget.ts";
import { binary, call, cast, inPlaceOf, typed, values, withArguments } from "../../../syntax/build.ts";
import type { Binary, Call, Expression, NumberLiteral } from "../../../syntax/tree.ts";
import { BIGINT, DOUBLE, isNumeric, NUMERIC, type SqlType, typeOrUnknown } from "../../../types.ts";

/** With `enable_decimal256`. */
export const MAX_PRECISION = 76;
/** Together with what a frontend adds to them (`div_precision_increment`) at most 76 digits. */
const [DIVIDEND, DIVISOR] = [38, 28];
const [DIVIDEND_SCALE, DIVISOR_SCALE] = [12, 8];
/** The type for averages: an average has no more digits behind the point than its values. */
const AVERAGED = [50, 18] as const;

const kindOf = (node: Expression): SqlType["kind"] => typeOrUnknown(node).kind;

export const scaleOf = mostDigits({
  ofQuotient: () => DIVIDEND_SCALE,
  ofAverage: () => AVERAGED[1],
});

export const asDecimal = (value: Expression, lengths: readonly [number, number]): Expression =>
  cast(value, "numeric", typed(NUMERIC, value), lengths);

export function asDouble(value: Expression): Expression {
  const { type } = value;
  if (type?.kind === "float" && type.bits === 64) return value;
  if (isNumeric(typeOrUnknown(value)) || kindOf(value) === "null") {
    return cast(value, "double precision", typed(DOUBLE, value));
  }
  throw unsupported(`${kindOf(value)} as a number`, value.span, "Write a CAST.");
}

// ------------------------------------------------------------------------------------------------------- whole numbers

/** The bits that the magnitude of a lowered value takes at most: of a column that a table has, and of what is computed of those. */
function bitsOf(node: Expression): number {
  countStep();
  const type = typeOrUnknown(node);
  switch (node.kind) {
    case "number":
      return BigInt(node.text).toString(2).length;
    case "bound":
      return type.kind === "integer" && (node.column.origins ?? []).length === 0 ? type.bits - 1 : 63;
    case "cast":
      return node.typeName.name === "bigint" ? Math.min(bitsOf(node.operand), 63) : 63;
    case "binary":
      return node.operator === "+" || node.operator === "-" || node.operator === "*" ? bitsOfResult(node) : 63;
    default:
      return 63;
  }
}

function bitsOfResult({ operator, left, right }: Binary): number {
  const [a, b] = [bitsOf(left), bitsOf(right)];
  return Math.min(operator === "*" ? a + b : Math.max(a, b) + 1, 63);
}

const isWritten = (node: Expression): boolean => node.kind === "number";

const widened = (node: Expression, name: "bigint" | "long integer"): Expression =>
  isWritten(node) || (node.kind === "cast" && node.typeName.name === name)
    ? node
    : cast(node, name, typed(BIGINT, node));

/** `+`, `-` and `*`, of whole numbers where both sides are. */
export function computed(node: Binary): Expression {
  const { left, right, operator } = node;
  if (kindOf(left) !== "integer" || kindOf(right) !== "integer") return node;
  const [a, b] = [bitsOf(left), bitsOf(right)];
  const fits = (operator === "*" ? a + b : Math.max(a, b) + 1) <= 63;
  const name = fits ? "bigint" : "long integer";
  // One of two literals gets the type of the computation.
  const first = isWritten(left) && isWritten(right) ? cast(left, name, typed(BIGINT, left)) : widened(left, name);
  const wide = { ...node, left: first, right: widened(right, name) };
  return fits ? wide : cast({ ...wide, type: BIGINT }, "bigint", inPlaceOf(node));
}

/** Between whole numbers; the least of all by -1 does not fit either. */
export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  if (kindOf(left) !== "integer" || kindOf(right) !== "integer") {
    throw unsupported("a whole quotient of fractions", at.span, "Write trunc(a / b).");
  }
  if (isWritten(right)) return binary(left, "//", right, inPlaceOf(at));
  const wide = [left, right].map((side) => cast(side, "long integer", typed(BIGINT, side)));
  const [dividend = left, divisor = right] = wide;
  return cast(binary(dividend, "//", divisor, typed(BIGINT, at)), "bigint", inPlaceOf(at));
}

/** By 0 a remainder is NULL on Doris and an error on PostgreSQL: a decimal is divided by a literal. */
export function remainder(left: Expression, right: Expression, at: Expression): Expression | undefined {
  if (kindOf(left) === "integer" && kindOf(right) === "integer") return undefined;
  const [a, b] = [scaleOf(left), scaleOf(right)];
  const isDivisor = right.kind === "number" && Number(right.text) !== 0;
  if (isDivisor && a !== undefined && b !== undefined && Math.max(a, b) <= AVERAGED[1]) {
    const lengths = [AVERAGED[0], Math.max(a, b)] as const;
    return { ...binary(asDecimal(left, lengths), "%", asDecimal(right, lengths), inPlaceOf(at)), type: NUMERIC };
  }
  throw unsupported("the remainder of fractions", at.span, "Write a - b * trunc(a / b).");
}

// ------------------------------------------------------------------------------------------------------------ quotients

const sure = sureDigits("LOG10(x)");

/** The decimal of a double: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/numeric-functions/log10 */
export const ofSureDigits = (value: Expression): Expression => sure(cast(value, "numeric", typed(NUMERIC, value)));

/** A quotient of sides whose digits are unknown, or many, is computed as a double, and has its fifteen sure digits. */
export function quotient(node: Binary): Expression {
  const { left, right } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "integer" && b === "integer") return wholeQuotient(left, right, node);
  if (a === "float" || b === "float") return binary(asDouble(left), "/", asDouble(right), inPlaceOf(node));
  const [dividend, divisor] = [scaleOf(left), scaleOf(right)];
  if (dividend === undefined || divisor === undefined || dividend > DIVIDEND_SCALE || divisor > DIVISOR_SCALE) {
    return quotientOfDoubles(node, asDouble, ofSureDigits);
  }
  return binary(
    asDecimal(left, [DIVIDEND, DIVIDEND_SCALE]),
    "/",
    asDecimal(right, [DIVISOR, divisor]),
    inPlaceOf(node),
  );
}

// ----------------------------------------------------------------------------------------------------------- functions

/**
 * The sum of 64-bit integers is a decimal, as on PostgreSQL, summed in 128 bits; a sum of reals is one. A sum of decimals leaves room for
 * the digits of what it stands beside.
 */
export function summed(node: Call): Expression | undefined {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type === undefined) return undefined;
  switch (type.kind) {
    case "float":
      return type.bits === 32 ? sumOfReals(node) : undefined;
    case "integer": {
      const sum = withArguments(node, [cast(value, "long integer", typed(BIGINT, value))]);
      return type.bits < 64 ? cast(sum, "bigint", inPlaceOf(node)) : cast(sum, "numeric", inPlaceOf(node), [39, 0]);
    }
    case "decimal": {
      const scale = scaleOf(value);
      const isShort = scale !== undefined && scale <= AVERAGED[1];
      return isShort ? cast(node, "numeric", inPlaceOf(node), [DIVIDEND, scale]) : undefined;
    }
    default:
      return undefined;
  }
}

export function averaged(node: Call): Call | undefined {
  const [value] = values(node);
  if (value === undefined || kindOf(value) === "float") return undefined;
  if (kindOf(value) === "integer" || kindOf(value) === "decimal")
    return withArguments(node, [asDecimal(value, AVERAGED)]);
  throw unsupported(`the average of ${kindOf(value)}`, node.span);
}

/** Half away from zero, and with the digits that are asked for. https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/numeric-functions/round */
export const rounded =
  (name: "round" | "truncate") =>
  (node: Call): Expression => {
    const [value, digits] = values(node);
    if (value === undefined) return node;
    const kind = kindOf(value);
    if (kind === "integer" && digits === undefined) return asDouble(value);
    if (kind === "float" && digits === undefined && name === "truncate") return cutDouble(value);
    if (kind !== "decimal" && kind !== "integer") {
      const hint = `Declare the column as a decimal, or write ${name} in the model's own SQL.`;
      throw unsupported(`${name} of a ${kind}`, node.span, hint);
    }
    const count = digits === undefined ? 0 : naturalOf(digits);
    if (count === undefined || count > AVERAGED[1]) {
      const place = (digits ?? node).span;
      throw unsupported("a computed number of digits", place, `Write it as a literal up to ${AVERAGED[1]}.`);
    }
    const places: Expression = { kind: "number", text: String(count), span: node.span, type: BIGINT };
    return cast(call(name, [value, places], inPlaceOf(node)), "numeric", inPlaceOf(node), [AVERAGED[0], count]);
  };

/** Decimals become doubles, too. */
export const ofDoubles = (node: Call): Call => withArguments(node, values(node).map(asDouble));

/** Where PostgreSQL raises Doris has NULL or no number; to a whole power, as it is written, everything has one. */
export function power(base: Expression, exponent: Expression, at: Expression): Expression {
  if (naturalOf(exponent) !== undefined) return call("pow", [asDouble(base), exponent], inPlaceOf(at));
  throw unsupported("a power that is no integer literal", at.span, "Write it as a literal.");
}

/** A decimal is written without an exponent, so that Doris takes it as one. */
export function number(node: NumberLiteral): Expression | undefined {
  if (typeOrUnknown(node).kind === "float") return cast(node, "double precision", inPlaceOf(node));
  const plain = plainDigits(node.text);
  if (plain === undefined || plain.replace(".", "").length > MAX_PRECISION) {
    throw unsupported(`a number of more than ${MAX_PRECISION} digits`, node.span);
  }
  return plain === node.text ? undefined : { ...node, text: plain };
}
