/**
 * Decimals, of 38 digits at most. A quotient has the digits of the longer of its two sides behind the point and an average
 * those of its values, so both are given eighteen. A product has those of both sides together, of quotients more than there
 * is room for.
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
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { intervalFactor } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, cast, inPlaceOf, typed, values, withArguments } from "../../syntax/build.ts";
import type { Binary, Call, Expression } from "../../syntax/tree.ts";
import { isUnknown, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";

const kindOf = (value: Expression): SqlType["kind"] => typeOrUnknown(value).kind;

export function quotient(node: Binary): Expression | undefined {
  const { left, right, span } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "interval") return intervalFactor(node);
  if (isUnknown(typeOrUnknown(left)) || isUnknown(typeOrUnknown(right))) {
    const hint = "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.";
    throw unsupported("a division whose types are unknown", span, hint);
  }
  if (a === "float" || b === "float") return { ...node, left: asDouble(left) };
  if (a === "decimal" || b === "decimal") return { ...node, left: asLong(left) };
  return undefined;
}

export function product(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (kindOf(left) === "interval" || kindOf(right) === "interval") return intervalFactor(node);
  const inexact = [left, right].filter(isInexactDecimal).length;
  if (inexact === 0) return undefined;
  if (inexact === 1) return asLong(node);
  return asLong(binary(asDouble(left), "*", asDouble(right), inPlaceOf(node)));
}

export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  const place = inPlaceOf(at);
  if (kindOf(left) === "integer" && kindOf(right) === "integer") return binary(left, "/", right, place);
  return call("truncate", [binary(asLong(left), "/", right, place)], place);
}

/** `round(x, n)` and `trunc(x, n)`: a decimal has the digits that are asked for, and no others. */
export const rounded =
  (name: "round" | "truncate") =>
  (node: Call): Expression => {
    const [value, digits] = values(node);
    if (value === undefined) return node;
    const kind = kindOf(value);
    if (kind === "float" && digits === undefined && name === "round") return halfToEven(value);
    if (kind === "float" || (kind === "null" && digits === undefined)) {
      return call(name, values(node), inPlaceOf(node));
    }
    if (kind === "integer" && digits === undefined) return asDouble(value);
    const count = digits === undefined ? 0 : countOf(digits);
    if (count === undefined || count > LONG_DIGITS) {
      throw unsupported(
        "a computed number of digits",
        (digits ?? node).span,
        `Write it as a literal up to ${LONG_DIGITS}.`,
      );
    }
    const exact = isInexactDecimal(value) ? asLong(value) : value;
    const scale = Math.max(count, 0);
    const shape = [MAX_PRECISION, scale];
    if (name === "round" && count >= 0) return cast(value, "numeric", inPlaceOf(node), shape);
    const cut = call(name, count === 0 ? [exact] : [exact, digits ?? node], inPlaceOf(node));
    return cast(cut, "numeric", inPlaceOf(node), shape);
  };

/** Sums of 64-bit numbers may be longer. */
export function summed(node: Call): Call | undefined {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type?.kind !== "integer" || type.bits !== 64) return undefined;
  return withArguments(node, [cast(value, "numeric", typed(NUMERIC, value), [MAX_PRECISION, 0])]);
}

export function averaged(node: Call): Call {
  const [value] = values(node);
  if (value === undefined) return node;
  const kind = kindOf(value);
  if (kind === "float") return withArguments(node, [asDouble(value)]);
  if (kind === "integer" || kind === "decimal") return withArguments(node, [asLong(value)]);
  throw unsupported(`the average of ${kind}`, node.span);
}

/** More digits would be a double, and so is what has an exponent. */
export function numberText(node: Expression & { readonly kind: "number" }): Expression | undefined {
  // A whole number may be a position.
  if (typeOrUnknown(node).kind === "float") {
    return /^\d*\.\d+$/.test(node.text) ? { ...node, text: `${node.text}e0` } : undefined;
  }
  const digits = decimalDigits(node);
  if (isBeyond64Bits(digits)) return { ...node, text: `${digits}.` };
  return digits === node.text ? undefined : { ...node, text: digits };
}
