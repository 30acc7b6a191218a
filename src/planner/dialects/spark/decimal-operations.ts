/** Products and quotients of decimals where a result of more than 38 digits loses some behind the point. */

import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { asDouble, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";
import {
  type DecimalLength,
  KEPT_DIGITS,
  lengthOf,
  narrowed,
  ofLength,
  TOO_LONG,
  valueLengthOf,
} from "./decimal-lengths.ts";
import { product, quotient } from "./decimals.ts";

const isDecimal = (value: Expression): boolean => typeOrUnknown(value).kind === "decimal";
const areDecimals = ({ left, right }: Binary): boolean =>
  (isDecimal(left) || isDecimal(right)) &&
  [left, right].every((side) => ["decimal", "integer"].includes(typeOrUnknown(side).kind));

/** A quotient has at least so many digits behind the point where its types leave room for them. */
const QUOTIENT_DIGITS = 10;
/** The dividend keeps at least so many digits before the point, as many as a double has. A longer one raises an error. */
const FEWEST_DIGITS = 15;
/** Digits of a quotient of doubles, behind the point and before it. */
const DOUBLE_DIGITS = 15;
const DOUBLE_WHOLE = 20;

/** The dividend has all the digits that there is room for behind its point, and so has the quotient. */
export function quotientOfLengths(node: Binary): Expression | undefined {
  if (!areDecimals(node)) return quotient(node);
  const { left, right, span } = node;
  const isInexact = isInexactDecimal(left) || isInexactDecimal(right);
  const whole = wholeOfDividend(left, lengthOf(right), isInexact);
  if (whole !== undefined) return { ...node, left: ofLength(left, { whole, scale: MAX_PRECISION - whole }) };
  if (isInexact) return quotientOfDoubles(node);
  throw unsupported(TOO_LONG.refused, span, TOO_LONG.hint);
}

/** Digits of the dividend before the point; `undefined` if the quotient would have too few behind it. */
function wholeOfDividend(left: Expression, divisor: DecimalLength | undefined, isInexact: boolean): number | undefined {
  const dividend = lengthOf(left);
  if (dividend === undefined || divisor === undefined) return undefined;
  const fitting = MAX_PRECISION - divisor.scale;
  const isRoom = (whole: number, digits: number): boolean =>
    whole + digits <= fitting && dividend.scale <= MAX_PRECISION - whole;
  const ofType = [dividend.whole, narrowed(left)?.whole ?? dividend.whole].find((each) => isRoom(each, KEPT_DIGITS));
  if (ofType !== undefined) return ofType;
  const ofValue = valueLengthOf(left)?.whole ?? dividend.whole;
  if (isRoom(ofValue, QUOTIENT_DIGITS)) return ofValue;
  const fewest = Math.max(FEWEST_DIGITS, fitting - QUOTIENT_DIGITS);
  return !isInexact && isRoom(fewest, KEPT_DIGITS) ? fewest : undefined;
}

/** Its digits beyond the fifteenth behind the point are the doubles' error. */
function quotientOfDoubles(node: Binary): Expression {
  const doubles = { ...node, left: asDouble(node.left), right: asDouble(node.right), type: DOUBLE };
  return ofLength(doubles, { whole: DOUBLE_WHOLE, scale: DOUBLE_DIGITS });
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
