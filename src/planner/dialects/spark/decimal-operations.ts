/** Products and quotients of decimals where a result of more than 38 digits loses some behind the point. */

import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/inexact.ts";
import { asDouble, MAX_PRECISION } from "../../lowering/long-decimals.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { KEPT_DIGITS, lengthOf, narrowed, ofLength, TOO_LONG } from "./decimal-lengths.ts";
import { product, quotient } from "./decimals.ts";

const isDecimal = (value: Expression): boolean => typeOrUnknown(value).kind === "decimal";
const areDecimals = ({ left, right }: Binary): boolean =>
  (isDecimal(left) || isDecimal(right)) &&
  [left, right].every((side) => ["decimal", "integer"].includes(typeOrUnknown(side).kind));

/** The dividend has all the digits that there is room for behind its point, and so has the quotient. */
export function quotientOfLengths(node: Binary): Expression | undefined {
  if (!areDecimals(node)) return quotient(node);
  const { left, right, span } = node;
  const [whole, divisor] = [lengthOf(left), lengthOf(right)];
  const isTooLong =
    whole !== undefined && divisor !== undefined && whole.whole + divisor.scale > MAX_PRECISION - KEPT_DIGITS;
  const dividend = isTooLong ? (narrowed(left) ?? whole) : whole;
  if (dividend === undefined || divisor === undefined) throw unsupported(TOO_LONG.refused, span, TOO_LONG.hint);
  const scale = MAX_PRECISION - dividend.whole;
  if (dividend.whole + divisor.scale > MAX_PRECISION - KEPT_DIGITS || dividend.scale > scale) {
    throw unsupported(TOO_LONG.refused, span, TOO_LONG.hint);
  }
  return { ...node, left: ofLength(left, { whole: dividend.whole, scale }) };
}

/** Quotients are cut to the digits that fit; two of them are multiplied as doubles. */
export function productOfLengths(node: Binary): Expression | undefined {
  if (!areDecimals(node)) return product(node);
  const { left, right } = node;
  const [first, second] = [lengthOf(left), lengthOf(right)];
  const inexact = [left, right].map(isInexactDecimal);
  if (inexact.every((each) => each))
    return asExact({ ...node, left: asDouble(left), right: asDouble(right) }, first, second);
  if (first === undefined || second === undefined || !inexact.includes(true)) return undefined;
  const room = MAX_PRECISION - 1 - first.whole - second.whole - (inexact[0] ? second.scale : first.scale);
  if (room < KEPT_DIGITS) return undefined;
  const cutTo = (value: Expression, { whole, scale }: typeof first): Expression =>
    scale <= room ? value : ofLength(value, { whole, scale: room });
  return { ...node, left: inexact[0] ? cutTo(left, first) : left, right: inexact[1] ? cutTo(right, second) : right };
}

function asExact(node: Binary, first: ReturnType<typeof lengthOf>, second: ReturnType<typeof lengthOf>): Expression {
  const whole = Math.min((first?.whole ?? 20) + (second?.whole ?? 20), MAX_PRECISION - KEPT_DIGITS);
  const scale = Math.min(MAX_PRECISION - whole, 18);
  return ofLength(node, { whole, scale });
}
