/**
 * Decimals of at most 38 digits. A product has at most twelve digits behind the point, or those of the longer side, and a quotient six
 * more than its dividend, and no more than twelve or those of the dividend: so one side is given the digits that the result needs.
 * https://docs.snowflake.com/en/sql-reference/operators-arithmetic
 */

import { unsupported } from "../../diagnostics.ts";
import { halfToEven } from "../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import {
  asDouble,
  asLong,
  decimalDigits,
  isBeyond64Bits,
  LONG_DIGITS,
  MAX_PRECISION,
} from "../../lowering/numbers/long-decimals.ts";
import { mostDigits } from "../../lowering/numbers/most-digits.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { realDigits } from "../../lowering/numbers/rounded-reals.ts";
import { refuseUnknown } from "../../lowering/numbers/unknown-numbers.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { intervalFactor } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, cast, inPlaceOf, type Place, typed, values, withArguments } from "../../syntax/build.ts";
import type { Binary, Call, Expression, NumberLiteral } from "../../syntax/tree.ts";
import { BIGINT, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";

/** Digits behind the point that a product keeps by itself. */
const KEPT = 12;
/** Behind the point of a whole dividend: the quotient of two whole numbers of 64 bits is then cut off where it is. */
const WHOLE_SCALE = 19;
/** A dividend of eighteen digits behind the point has room for a divisor with so many. */
const SHORT_DIVISOR = 6;

const kindOf = (value: Expression): SqlType["kind"] => typeOrUnknown(value).kind;

const scaleOf = mostDigits({ ofQuotient: () => LONG_DIGITS, ofAverage: () => LONG_DIGITS });

/** Precision and scale of a column with so many digits behind the point. */
export function lengthsOf(scale: number): readonly [number, number] {
  return [MAX_PRECISION, Math.min(scale, LONG_DIGITS)];
}

export const RECURSIVE_DIGITS = scaleOf;

export function quotient(node: Binary): Expression | undefined {
  const { left, right } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "interval") return intervalFactor(node);
  refuseUnknown(node);
  if (a === "float" || b === "float") return { ...node, left: asDouble(left), right: asDouble(right) };
  if (a !== "decimal" && b !== "decimal") return wholeQuotient(left, right, inPlaceOf(node));
  const digits = scaleOf(right);
  const isShort = !isInexactDecimal(right) && (digits === undefined || digits <= SHORT_DIVISOR);
  return isShort
    ? binary(asLong(left), "/", right, inPlaceOf(node))
    : asLong(binary(asDouble(left), "/", asDouble(right), inPlaceOf(node)));
}

/** Towards zero. */
export function wholeQuotient(left: Expression, right: Expression, at: Place): Expression {
  const isWhole = kindOf(left) === "integer" && kindOf(right) === "integer";
  const dividend = isWhole ? cast(left, "numeric", typed(NUMERIC, left), [MAX_PRECISION, WHOLE_SCALE]) : asLong(left);
  const cut = call("trunc", [binary(dividend, "/", right, typed(NUMERIC, at))], at);
  return isWhole ? cast(cut, "bigint", at) : cut;
}

export function product(node: Binary): Expression | undefined {
  const { left, right, span } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "interval" || b === "interval") return intervalFactor(node);
  refuseUnknown(node);
  if (a === "float" || b === "float") return { ...node, left: asDouble(left), right: asDouble(right) };
  if (a !== "decimal" && b !== "decimal") return undefined;
  if ([left, right].some(isInexactDecimal))
    return asLong(binary(asDouble(left), "*", asDouble(right), inPlaceOf(node)));
  const digits = [left, right].map(scaleOf);
  const [ofLeft, ofRight] = digits;
  // An undeclared column has few digits, or the product has eighteen.
  if (ofLeft === undefined || ofRight === undefined) return { ...node, left: asLong(left) };
  const needed = ofLeft + ofRight;
  if (needed <= KEPT) return undefined;
  if (needed > LONG_DIGITS) {
    throw unsupported(`a product with ${needed} digits behind the point`, span, "Round its sides.");
  }
  return { ...node, left: cast(left, "numeric", typed(NUMERIC, left), [MAX_PRECISION, needed]) };
}

export function remainder(node: Binary): Expression | undefined {
  refuseUnknown(node);
  if (kindOf(node) === "float") throw unsupported("% of doubles", node.span, "Cast them to numeric first.");
  return undefined;
}

/** `round(x, n)` and `trunc(x, n)`: half away from zero for decimals, to the even number for doubles. */
export const rounded =
  (name: "round" | "trunc") =>
  (node: Call): Expression => {
    const [value, digits] = values(node);
    if (value === undefined) return node;
    const kind = kindOf(value);
    if (kind === "float") {
      if (digits !== undefined) {
        throw unsupported(
          `${name} of a double to digits`,
          node.span,
          "Declare the column as a decimal, or round it in the model's own SQL.",
        );
      }
      return name === "round" ? halfToEven(value) : call(name, [asDouble(value)], inPlaceOf(node));
    }
    if (kind === "integer" && digits === undefined) return asDouble(value);
    const count = digits === undefined ? 0 : countOf(digits);
    if (count === undefined || count > LONG_DIGITS) {
      const hint = `Write it as a literal up to ${LONG_DIGITS}.`;
      throw unsupported("a computed number of digits", (digits ?? node).span, hint);
    }
    const exact = isInexactDecimal(value) || kind === "integer" ? asLong(value) : value;
    const cut = call(name, digits === undefined ? [exact] : [exact, digits], inPlaceOf(node));
    // With the digits that are asked for, and no others.
    return cast(cut, "numeric", inPlaceOf(node), [MAX_PRECISION, Math.max(count, 0)]);
  };

/** An average has the digits of its values, so these are given eighteen. */
export function averaged(node: Call): Call {
  const [value] = values(node);
  if (value === undefined) return node;
  const kind = kindOf(value);
  if (kind === "float") return withArguments(node, [asDouble(value)]);
  if (kind === "integer" || kind === "decimal" || kind === "null") return withArguments(node, [asLong(value)]);
  throw unsupported(`the average of ${kind}`, node.span);
}

/** Digits alone for a number that is no double; a double is said to be one. */
export function numberText(node: NumberLiteral): Expression | undefined {
  const { kind } = typeOrUnknown(node);
  if (isReal(node.type))
    return cast({ ...node, text: realDigits(node), type: NUMERIC }, "double precision", inPlaceOf(node));
  if (kind === "float") return cast({ ...node, type: NUMERIC }, "double precision", inPlaceOf(node));
  const digits = decimalDigits(node).replace(/\.$/, "");
  const isLong = isBeyond64Bits(digits) && kind === "integer";
  return digits === node.text && !isLong
    ? undefined
    : { ...node, text: digits, type: isLong ? NUMERIC : (node.type ?? BIGINT) };
}
