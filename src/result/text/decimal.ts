/** Text of exact decimals. No function in this file passes a value through a binary64 (docs/decisions/0002-exact-values.md). */
import { ResultError } from "../failure.ts";

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** The reference prints from a binary64, whose shortest digits equal the value's digits up to this many. */
const DIGITS_OF_A_DOUBLE = 15;

/** PostgreSQL's widest numeric has 131,072 digits before the point and 16,383 after it; no source has a larger decimal. */
const MAX_EXPONENT = 150_000;

const CANONICAL = /^-?\d+(?:\.\d+)?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const SPELLING = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,7}))?$/;

const NOT_FINITE: ReadonlyMap<string, string> = new Map([
  ["nan", "NaN"],
  ["inf", "Infinity"],
  ["+inf", "Infinity"],
  ["-inf", "-Infinity"],
  ["infinity", "Infinity"],
  ["+infinity", "Infinity"],
  ["-infinity", "-Infinity"],
]);

/**
 * The canonical representation (`types.ts`) of a source's decimal text. Signs, leading zeros, a bare point and exponents are
 * normalised; digits after the point, trailing zeros included, are kept. Undefined for any other text.
 */
export function canonicalDecimal(text: string): string | undefined {
  const trimmed = text.trim();
  const match = SPELLING.exec(trimmed);
  if (match === null) return NOT_FINITE.get(trimmed.toLowerCase());
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
  if (whole === "" && fraction === "") return undefined;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const after = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const unsigned = `${stripLeadingZeros(before)}${after === "" ? "" : `.${after}`}`;
  return sign === "-" && !isZero(unsigned) ? `-${unsigned}` : unsigned;
}

/**
 * The text in `modern` answers (docs/spec/contract.md#text-of-decimals, docs/decisions/0002-exact-values.md): trailing zeros are
 * removed except for one decimal, zero is `0`, and values below 1e-5 or from 1e16 on have an exponent. A value with more than 15
 * significant digits, for which the reference shows a rounded binary64, is written with all digits and no exponent. Null for NaN
 * and the infinities.
 *
 * @throws ResultError INVALID_TEXT when `canonical` is not canonical.
 */
export function decimalText(canonical: string): string | null {
  if (!CANONICAL.test(canonical)) return notFinite(canonical);
  const length = canonical.length;
  const begin = canonical.charCodeAt(0) === MINUS ? 1 : 0;
  const indexOfPoint = canonical.indexOf(".");
  const point = indexOfPoint === -1 ? length : indexOfPoint;
  let first = begin;
  while (first < length && isZeroOrPoint(canonical.charCodeAt(first))) first++;
  if (first === length) return "0";
  let last = length - 1;
  while (isZeroOrPoint(canonical.charCodeAt(last))) last--;

  /** Power of ten of the first significant digit. */
  const exponent = first < point ? point - first - 1 : point - first;
  const significant = last - first + (first < point && point < last ? 0 : 1);
  const sign = begin === 1 ? "-" : "";
  if (significant > DIGITS_OF_A_DOUBLE || (exponent >= -5 && exponent < 16)) {
    if (last === length - 1 && first < point && first === begin && point < length) return canonical;
    const whole = first < point ? canonical.slice(first, point) : "0";
    const fraction = last > point ? canonical.slice(point + 1, last + 1) : "0";
    return `${sign}${whole}.${fraction}`;
  }
  const digits = canonical.slice(first, last + 1).replace(".", "");
  const rest = digits.slice(1);
  return `${sign}${digits.charAt(0)}${rest === "" ? "" : `.${rest}`}e${exponent}`;
}

/**
 * A JSON number with the value's exact digits, as in `classic` answers (docs/decisions/0001-two-profiles.md). Null for NaN and the
 * infinities.
 *
 * @throws ResultError INVALID_TEXT when `canonical` is not canonical.
 */
export function decimalNumber(canonical: string): string | null {
  if (JSON_NUMBER.test(canonical)) return canonical;
  // JSON forbids leading zeros, the canonical representation does not.
  return CANONICAL.test(canonical) ? (canonicalDecimal(canonical) ?? null) : notFinite(canonical);
}

/** A canonical decimal as an integer; undefined when it has a non-zero fraction or is not finite. */
export function decimalInteger(canonical: string): bigint | undefined {
  if (!CANONICAL.test(canonical)) return undefined;
  const point = canonical.indexOf(".");
  if (point === -1) return BigInt(canonical);
  return isZero(canonical.slice(point + 1)) ? BigInt(canonical.slice(0, point)) : undefined;
}

function notFinite(text: string): null {
  if (text === "NaN" || text === "Infinity" || text === "-Infinity") return null;
  throw new ResultError("INVALID_TEXT", "A decimal is not in its canonical form.");
}

function isZeroOrPoint(code: number): boolean {
  return code === ZERO || code === POINT;
}

function isZero(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (!isZeroOrPoint(text.charCodeAt(index))) return false;
  return true;
}

function stripLeadingZeros(digits: string): string {
  let first = 0;
  while (first < digits.length - 1 && digits.charCodeAt(first) === ZERO) first++;
  return digits.slice(first);
}
