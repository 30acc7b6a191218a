/**
 * Decimals of at most 38 digits. A sum, a difference and a product keep their digits behind the point, and raise where they do not
 * fit; a quotient has as many as the declared lengths of both sides leave room for, and of long ones four; an average has
 * those of its values. https://docs.aws.amazon.com/redshift/latest/dg/r_numeric_computations201.html
 */

import { unsupported } from "../../../diagnostics.ts";
import { cutDouble } from "../../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal } from "../../../lowering/numbers/inexact.ts";
import { mostDigits } from "../../../lowering/numbers/most-digits.ts";
import { sumOfReals } from "../../../lowering/numbers/reals.ts";
import { quotientOfDoubles, sureDigits } from "../../../lowering/numbers/sure-digits.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { binary, call, cast, inPlaceOf, typed, values, withArguments } from "../../../syntax/build.ts";
import type { Binary, Call, Expression, NumberLiteral } from "../../../syntax/tree.ts";
import { BIGINT, DOUBLE, NUMERIC, type SqlType, typeOrUnknown } from "../../../types.ts";

export const MAX_PRECISION = 38;
/** Together one less than 38: `s1 + p2 - s2 + 1` digits behind the point then have room. */
const [DIVIDEND, DIVISOR] = [20, 17];
/** Behind the point, so that there is room before it. */
const [DIVIDEND_SCALE, DIVISOR_SCALE] = [8, 6];
/** The type of averages. */
const AVERAGED = [MAX_PRECISION, 18] as const;
/** Room before the point of a column that is declared. */
const WHOLE = 20;

const kindOf = (node: Expression): SqlType["kind"] => typeOrUnknown(node).kind;

export const scaleOf = mostDigits({
  ofQuotient: (dividend, divisor) => dividend + DIVISOR - divisor + 1,
  ofAverage: () => AVERAGED[1],
});

/** Precision and scale of a column with so many digits behind the point. */
export function lengthsOf(scale: number): readonly [number, number] {
  const digits = Math.min(scale, MAX_PRECISION - WHOLE);
  return [WHOLE + digits, digits];
}

/** Given the room that it takes, a value that does not fit raises. */
export function asDecimal(value: Expression, lengths: readonly [number, number]): Expression {
  return cast(value, "numeric", typed(NUMERIC, value), lengths);
}

export function asDouble(value: Expression): Expression {
  const { type } = value;
  if (type?.kind === "float" && type.bits === 64) return value;
  if (isInexactDecimal(value) || kindOf(value) !== "text") return cast(value, "double precision", typed(DOUBLE, value));
  throw unsupported("a text as a number", value.span, "Write a CAST.");
}

const sure = sureDigits("LOG(x)");

/** The decimal of a double: https://docs.aws.amazon.com/redshift/latest/dg/r_ROUND.html, https://docs.aws.amazon.com/redshift/latest/dg/r_LOG.html */
export const ofSureDigits = (value: Expression): Expression => sure(cast(value, "numeric", typed(NUMERIC, value)));

/** A quotient of sides whose digits are unknown, or many, is computed as a double, and has its fifteen sure digits. */
export function quotient(node: Binary): Expression | undefined {
  const { left, right } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "integer" && b === "integer") return undefined;
  if (a === "float" || b === "float") return undefined;
  const [dividend, divisor] = [scaleOf(left), scaleOf(right)];
  if (dividend === undefined || divisor === undefined || dividend > DIVIDEND_SCALE || divisor > DIVISOR_SCALE) {
    return quotientOfDoubles(node, asDouble, ofSureDigits);
  }
  return binary(asDecimal(left, [DIVIDEND, dividend]), "/", asDecimal(right, [DIVISOR, divisor]), inPlaceOf(node));
}

/** Sums of reals are doubles there; those of 64-bit numbers are decimals, as on PostgreSQL. */
export function summed(node: Call): Expression | undefined {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  return type?.kind === "float" && type.bits === 32 ? sumOfReals(node) : undefined;
}

/** The average of integers would be an integer. */
export function averaged(node: Call): Call | undefined {
  const [value] = values(node);
  if (value === undefined || kindOf(value) === "float") return undefined;
  if (kindOf(value) !== "integer" && kindOf(value) !== "decimal")
    throw unsupported(`the average of ${kindOf(value)}`, node.span);
  return withArguments(node, [asDecimal(value, AVERAGED)]);
}

/** Half away from zero, and with the digits that are asked for. */
export const rounded =
  (name: "round" | "trunc") =>
  (node: Call): Expression => {
    const [value, digits] = values(node);
    if (value === undefined) return node;
    const kind = kindOf(value);
    if (kind === "integer" && digits === undefined) return asDouble(value);
    if (kind === "float" && digits === undefined && name === "trunc") return cutDouble(value);
    if (kind !== "decimal" && kind !== "integer") {
      const hint = `Declare the column as a decimal, or write ${name} in the model's own SQL.`;
      throw unsupported(`${name} of a ${kind}`, node.span, hint);
    }
    const count = digits === undefined ? 0 : naturalOf(digits);
    if (count === undefined || count > AVERAGED[1]) {
      throw unsupported(
        "a computed number of digits",
        (digits ?? node).span,
        `Write it as a literal up to ${AVERAGED[1]}.`,
      );
    }
    const cut = call(name, digits === undefined ? [value] : [value, digits], inPlaceOf(node));
    return cast(cut, "numeric", inPlaceOf(node), [MAX_PRECISION, count]);
  };

/** Decimals become doubles, too. */
export const ofDoubles = (node: Call): Call => withArguments(node, values(node).map(asDouble));

/**
 * The remainder of decimals; both sides get one type, because MOD of a decimal and an integer is an integer.
 * https://docs.aws.amazon.com/redshift/latest/dg/r_MOD.html
 */
export function remainder(left: Expression, right: Expression, at: Expression): Expression | undefined {
  if (kindOf(left) === "integer" && kindOf(right) === "integer") return undefined;
  const scales = [left, right].map(scaleOf);
  const scale = scales.every((each) => each !== undefined) ? Math.max(...scales) : MAX_PRECISION;
  if (scale > MAX_PRECISION - WHOLE) {
    throw unsupported("the remainder of fractions", at.span, "Write a - b * trunc(a / b).");
  }
  const [a = left, b = right] = [left, right].map((side) => asDecimal(side, lengthsOf(scale)));
  return call("mod", [a, b], inPlaceOf(at));
}

export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  if (kindOf(left) === "integer" && kindOf(right) === "integer") return binary(left, "/", right, typed(BIGINT, at));
  throw unsupported("a whole quotient of fractions", at.span, "Write trunc(a / b).");
}

export function number(node: NumberLiteral): undefined {
  const digits = node.text.replace(/[eE].*/s, "").replace(".", "");
  if (digits.length <= MAX_PRECISION) return;
  throw unsupported(`a number of more than ${MAX_PRECISION} digits`, node.span);
}
