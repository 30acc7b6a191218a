/**
 * Decimals. NUMERIC has nine digits behind the point, and what is longer is rounded without a word; BIGNUMERIC has 38. What may
 * need more than nine is computed as the longer one. Of a double a decimal has the fifteen digits that PostgreSQL gives it.
 */

import { unsupported } from "../../diagnostics.ts";
import { halfToEven } from "../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { asDouble, asLong, decimalDigits, isBeyond64Bits } from "../../lowering/numbers/long-decimals.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { realDigits } from "../../lowering/numbers/rounded-reals.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { refuseUnknown } from "../../lowering/numbers/unknown-numbers.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { intervalFactor } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, cast, inPlaceOf, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Binary, Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, NUMERIC, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";

/** NUMERIC without parameters, for whole numbers whose sum may be longer than 64 bits. */
export const SHORT_NUMERIC = "short numeric";

/** Digits behind the point of NUMERIC and of BIGNUMERIC. */
const SHORT_DIGITS = 9;
export const MOST_DIGITS = 38;

const kindOf = (value: Expression): SqlType["kind"] => typeOrUnknown(value).kind;

export function quotient(node: Binary): Expression | undefined {
  const { left, right } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "interval") return intervalFactor(node);
  refuseUnknown(node);
  if (a === "float" || b === "float") return { ...node, left: asDouble(left), right: asDouble(right) };
  if (a === "decimal" || b === "decimal") return { ...node, left: asLong(left), right: asLong(right) };
  return call("div", [left, right], inPlaceOf(node));
}

export function product(node: Binary): Expression | undefined {
  const { left, right, span } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "interval" || b === "interval") return intervalFactor(node);
  refuseUnknown(node);
  if (a !== "decimal" && b !== "decimal") return undefined;
  if (a === "float" || b === "float") return { ...node, left: asDouble(left), right: asDouble(right) };
  const scale = scaleOf(node);
  if (scale !== undefined && scale > MOST_DIGITS) {
    throw unsupported(`a product of more than ${MOST_DIGITS} digits behind the point`, span, "Round its sides.");
  }
  if (scale !== undefined && scale <= SHORT_DIGITS) return undefined;
  return { ...node, left: asLong(left), right: asLong(right) };
}

/** `+`, `-` and `%` of a decimal that is computed as a double would be one. */
export function exactSides(node: Binary): Expression | undefined {
  if (kindOf(node) !== "decimal") return undefined;
  const [left, right] = [node.left, node.right].map((side) => (isInexactDecimal(side) ? asLong(side) : side));
  if (left === undefined || right === undefined || (left === node.left && right === node.right)) return undefined;
  return { ...node, left, right };
}

export function remainder(node: Binary): Expression {
  refuseUnknown(node);
  if (kindOf(node) === "float") throw unsupported("% of doubles", node.span, "Cast them to numeric first.");
  const sides = [node.left, node.right].map((side) => (isInexactDecimal(side) ? asLong(side) : side));
  return call("mod", sides, inPlaceOf(node));
}

/** Towards zero. */
export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  if (kindOf(left) === "integer" && kindOf(right) === "integer") return call("div", [left, right], inPlaceOf(at));
  return call("truncate", [binary(asLong(left), "/", asLong(right), typed(NUMERIC, at))], inPlaceOf(at));
}

/** Converts by the digits that a double or a real has for certain, as PostgreSQL does. */
export const ofDouble = (value: Expression): Expression =>
  call("format text", [text(isReal(value.type) ? "%.6g" : "%.15g", value), asDouble(value)], typed(TEXT, value));

/** `round(x, n)` and `trunc(x, n)`: half away from zero for decimals, to the even number for doubles. */
export const rounded =
  (name: "round" | "truncate") =>
  (node: Call): Expression => {
    const [value, digits] = values(node);
    if (value === undefined) return node;
    const kind = kindOf(value);
    if (kind === "float") {
      if (digits !== undefined)
        throw unsupported(`${name} of a double to digits`, node.span, "Cast it to numeric first.");
      return name === "round" ? halfToEven(value) : call(name, [asDouble(value)], inPlaceOf(node));
    }
    if (kind === "integer" && digits === undefined) return asDouble(value);
    const count = digits === undefined ? 0 : countOf(digits);
    if (count === undefined || Math.abs(count) > MOST_DIGITS) {
      throw unsupported("a computed number of digits", (digits ?? node).span, "Write it as a literal.");
    }
    const exact = isInexactDecimal(value) || kind !== "decimal" ? asLong(value) : value;
    return call(name, digits === undefined ? [exact] : [exact, digits], inPlaceOf(node));
  };

/** Sums of 64-bit numbers may be longer, and an average of whole numbers would be a double. */
export function summed(node: Call): Call | undefined {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type === undefined) return undefined;
  if (type.kind === "decimal") return isInexactDecimal(value) ? withArguments(node, [asLong(value)]) : undefined;
  if (type.kind !== "integer" || type.bits !== 64) return undefined;
  return withArguments(node, [cast(value, SHORT_NUMERIC, typed(NUMERIC, value))]);
}

export function averaged(node: Call): Call {
  const [value] = values(node);
  if (value === undefined) return node;
  const kind = kindOf(value);
  if (kind === "float") return node;
  if (kind === "integer" || kind === "decimal" || kind === "null") return withArguments(node, [asLong(value)]);
  throw unsupported(`the average of ${kind}`, node.span);
}

/** A number with a point would be a double, and one without it a double's, too. */
export function numberText(node: Expression & { readonly kind: "number" }): Expression | undefined {
  const { kind } = typeOrUnknown(node);
  if (isReal(node.type)) return { ...node, text: realDigits(node), type: DOUBLE };
  if (kind === "float") return /^\d+$/.test(node.text) ? { ...node, text: `${node.text}e0` } : undefined;
  const digits = decimalDigits(node);
  if (kind !== "decimal" && !isBeyond64Bits(digits))
    return digits === node.text ? undefined : { ...node, text: digits };
  return { ...node, text: digits, type: NUMERIC };
}

/** How a decimal is written: a number alone would be a double. */
export function decimalLiteral(digits: string): string {
  const [whole = "", fraction = ""] = digits.split(".");
  const isShort = fraction.length <= SHORT_DIGITS && whole.length <= MOST_DIGITS - SHORT_DIGITS;
  return `${isShort ? "NUMERIC" : "BIGNUMERIC"} '${digits}'`;
}
