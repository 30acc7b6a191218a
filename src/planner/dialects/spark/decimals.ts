/**
 * Decimals, of 38 digits at most. How many a quotient has behind the point depends on the declared lengths of its sides: of two
 * sides with eighteen digits behind the point it has eighteen (`DecimalPrecision`, without loss of precision).
 */

import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { asDouble, asLong, decimalDigits, LONG_DIGITS, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { sumOfReals } from "../../lowering/numbers/reals.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { intervalFactor } from "../../lowering/times/time-arithmetic.ts";
import {
  binary,
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, isUnknown, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";

const kindOf = (value: Expression): SqlType["kind"] => typeOrUnknown(value).kind;

export function quotient(node: Binary): Expression | undefined {
  const { left, right, span } = node;
  const [a, b] = [kindOf(left), kindOf(right)];
  if (a === "interval") return intervalFactor(node);
  if (isUnknown(typeOrUnknown(left)) || isUnknown(typeOrUnknown(right))) {
    const hint = "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.";
    throw unsupported("a division whose types are unknown", span, hint);
  }
  if (a === "float" || b === "float") return { ...node, left: asDouble(left), right: asDouble(right) };
  if (a === "decimal" || b === "decimal") return { ...node, left: asLong(left), right: asLong(right) };
  return binary(left, "//", right, inPlaceOf(node));
}

export function product(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (kindOf(left) === "interval" || kindOf(right) === "interval") return intervalFactor(node);
  const inexact = [left, right].filter(isInexactDecimal).length;
  if (inexact === 0) return undefined;
  if (inexact === 1) return asLong(node);
  return asLong(binary(asDouble(left), "*", asDouble(right), inPlaceOf(node)));
}

/** Whole numbers alone have a quotient of their own that is not cut to 64 bits. */
export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  if (kindOf(left) === "integer" && kindOf(right) === "integer") return binary(left, "//", right, inPlaceOf(at));
  return truncated(binary(asLong(left), "/", asLong(right), typed(NUMERIC, at)), 0, at);
}

/** Towards zero. */
function truncated(value: Expression, digits: number, at: Expression): Expression {
  const place = inPlaceOf(at);
  const of = (name: string): Expression => call(name, digits === 0 ? [value] : [value, integer(digits, at)], place);
  return when(comparison(value, "<", integer(0, at), at), of("ceil"), of("floor"), place);
}

/** Beyond it a double has no fraction, and as a whole number of 64 bits there it would be another. */
const WHOLE = "4503599627370496D";

/** `floor` and `ceil` of a double are whole numbers of 64 bits there. */
function wholeDouble(name: "floor" | "ceil", value: Expression, at: Expression): Expression {
  const limit: Expression = { kind: "number", text: WHOLE, span: at.span, type: DOUBLE };
  const isShort = comparison(call("abs", [value], typed(DOUBLE, at)), "<", limit, at);
  return when(isShort, asDouble(call(name, [value], typed(BIGINT, at))), value, typed(DOUBLE, at));
}

export const edge =
  (name: "floor" | "ceil") =>
  (node: Call): Expression | undefined => {
    const [value] = values(node);
    if (value === undefined) return undefined;
    const kind = kindOf(value);
    if (kind === "integer") return asDouble(value);
    if (kind === "float") return wholeDouble(name, asDouble(value), node);
    return withArguments(node, [isInexactDecimal(value) ? asLong(value) : value]);
  };

const digitsOf = (digits: Expression | undefined, at: Expression): number => {
  const count = digits === undefined ? 0 : countOf(digits);
  if (count !== undefined && Math.abs(count) <= LONG_DIGITS) return count;
  const hint = `Write it as a literal up to ${LONG_DIGITS}.`;
  throw unsupported("a computed number of digits", (digits ?? at).span, hint);
};

/** `round(x, n)`: a decimal has the digits that are asked for, and no others; half of a double goes to the even number. */
export function rounded(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined) return node;
  const kind = kindOf(value);
  if (kind === "float") {
    if (digits !== undefined) throw unsupported("round of a double to digits", node.span, "Cast it to numeric first.");
    return call("rint", [asDouble(value)], inPlaceOf(node));
  }
  if (kind === "integer" && digits === undefined) return asDouble(value);
  const count = digitsOf(digits, node);
  const exact = isInexactDecimal(value) || kind === "integer" ? asLong(value) : value;
  const scale = Math.max(count, 0);
  if (count >= 0) return cast(exact, "numeric", inPlaceOf(node), [MAX_PRECISION, scale]);
  return cast(call("round", [exact, integer(count, node)], inPlaceOf(node)), "numeric", inPlaceOf(node), [
    MAX_PRECISION,
    0,
  ]);
}

export function cut(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined) return node;
  const kind = kindOf(value);
  if (kind === "float") {
    if (digits !== undefined) throw unsupported("trunc of a double to digits", node.span, "Cast it to numeric first.");
    const double = asDouble(value);
    const isNegative = comparison(double, "<", integer(0, node), node);
    return when(isNegative, wholeDouble("ceil", double, node), wholeDouble("floor", double, node), typed(DOUBLE, node));
  }
  if (kind === "integer" && digits === undefined) return asDouble(value);
  const count = digitsOf(digits, node);
  const exact = isInexactDecimal(value) || kind === "integer" ? asLong(value) : value;
  return cast(truncated(exact, count, node), "numeric", inPlaceOf(node), [MAX_PRECISION, Math.max(count, 0)]);
}

/** Sums of 64-bit numbers may be longer, and those of reals are reals. */
export function summed(node: Call): Expression | undefined {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (type?.kind === "float" && type.bits === 32) return sumOfReals(node);
  if (value === undefined || type?.kind !== "integer" || type.bits !== 64) return undefined;
  return withArguments(node, [cast(value, "numeric", typed(NUMERIC, value), [20, 0])]);
}

/** Four digits more than its values have. */
const AVERAGED = [34, 14] as const;

export function averaged(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const kind = kindOf(value);
  if (kind === "float") return withArguments(node, [asDouble(value)]);
  if (kind === "integer" || kind === "decimal" || kind === "null") {
    const average = withArguments(node, [cast(value, "numeric", typed(NUMERIC, value), AVERAGED)]);
    // The error of a cut quotient shows in the four digits, and would decide which way a half is rounded.
    return isInexactDecimal(value) ? cast(average, "numeric", inPlaceOf(node), AVERAGED) : average;
  }
  throw unsupported(`the average of ${kind}`, node.span);
}

/** A number with an exponent is a double on Spark, and one without is a decimal. */
export function numberText(node: Expression & { readonly kind: "number" }): Expression | undefined {
  if (typeOrUnknown(node).kind === "float") {
    return /^\d*\.\d+$|^\d+\.$/.test(node.text) ? { ...node, text: `${node.text}D` } : undefined;
  }
  const digits = decimalDigits(node);
  return digits === node.text ? undefined : { ...node, text: digits };
}

/** A decimal's sign is a decimal. */
export function sign(node: Call): Expression | undefined {
  const [value] = values(node);
  if (value === undefined || kindOf(value) !== "decimal") return undefined;
  return cast(node, "numeric", inPlaceOf(node), [1, 0]);
}
