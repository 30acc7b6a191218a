/**
 * Decimals with at most 38 digits, for targets where PostgreSQL's values have as many as they need: a decimal without a declared
 * length has eighteen fraction digits and twenty before the point, and more is an error of the engine.
 */

import { unsupported } from "../../diagnostics.ts";
import { cast, typed, values, withArguments } from "../../syntax/build.ts";
import { numberParts } from "../../syntax/number-parts.ts";
import type { Call, Cast, Expression } from "../../syntax/tree.ts";
import { DOUBLE, NUMERIC, typeOrUnknown } from "../../types.ts";

export const MAX_PRECISION = 38;

/** A separate type name, because a cast that declares its digits is exact. */
export const LONG_NUMERIC = "long numeric";
export const LONG_DIGITS = 18;

export const asLong = (value: Expression): Cast => cast(value, LONG_NUMERIC, typed(NUMERIC, value));

export function asDouble(value: Expression): Expression {
  const { type } = value;
  if (type?.kind === "float" && type.bits === 64) return value;
  return cast(value, "double precision", typed(DOUBLE, value));
}

export const ofDoubles = (node: Call): Call => withArguments(node, values(node).map(asDouble));

/** A function that returns integers for integers, where PostgreSQL returns doubles. */
export function ofFraction(node: Call): Call | undefined {
  const [value] = values(node);
  if (value === undefined || typeOrUnknown(value).kind !== "integer") return undefined;
  return withArguments(node, [asDouble(value)]);
}

/** Whether the digits exceed 64 bits. */
export const isBeyond64Bits = (digits: string): boolean =>
  digits.length > 18 && /^\d+$/.test(digits) && BigInt(digits) > 9_223_372_036_854_775_807n;

/** The digits of a number that is not a double, without an exponent, which would make it a double. */
export function decimalDigits({ text, span }: Expression & { readonly kind: "number" }): string {
  if (text.length <= MAX_PRECISION && !/e/i.test(text)) return text;
  const { whole = "", fraction = "", exponent } = numberParts(text) ?? {};
  const power = Number(exponent ?? 0);
  if (whole.length + fraction.length + Math.abs(power) > MAX_PRECISION) {
    throw unsupported(`a number of more than ${MAX_PRECISION} digits`, span, "Write CAST('…' AS double precision).");
  }
  if (exponent === undefined) return text;
  const digits = whole + fraction.padEnd(power, "0");
  const point = whole.length + power;
  return point <= 0 ? `0.${"0".repeat(-point)}${digits}` : `${digits.slice(0, point)}.${digits.slice(point)}`;
}
