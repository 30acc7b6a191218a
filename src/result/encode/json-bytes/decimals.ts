/** Writes common decimals as bytes; `text/decimal.ts` writes the others. */
import type { JsonOutput } from "./output.ts";

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Beyond these limits `decimalText` writes numbers of up to 15 significant digits with an exponent. */
const DIGITS_BEFORE_EXPONENTS = 16;
const ZEROS_BEFORE_EXPONENTS = 4;

/** Writes `decimalText` in quotes. Returns false and writes nothing for zero, exponents, and text that is not a plain number. */
export function writeDecimalText(source: Uint8Array, from: number, to: number, out: JsonOutput): boolean {
  const begin = source[from] === MINUS ? from + 1 : from;
  const point = endOfDigits(source, begin, to);
  if (!isWhole(source, begin, point)) return false;
  let end = point;
  if (point < to) {
    if (source[point] !== POINT || point + 1 === to || endOfDigits(source, point + 1, to) !== to) return false;
    end = to;
    while (source[end - 1] === ZERO) end--;
  }
  const hasFraction = end > point + 1;
  if (source[begin] === ZERO) {
    let first = point + 1;
    while (first < end && source[first] === ZERO) first++;
    if (!hasFraction || first - point - 1 > ZEROS_BEFORE_EXPONENTS) return false;
  } else if (point - begin > DIGITS_BEFORE_EXPONENTS) {
    return false;
  }
  out.byte(QUOTE);
  out.copy(source, from, hasFraction ? end : point);
  if (!hasFraction) {
    out.byte(POINT);
    out.byte(ZERO);
  }
  out.byte(QUOTE);
  return true;
}

/** Writes `decimalNumber`. Returns false and writes nothing for text that is not a JSON number. */
export function writeDecimalNumber(source: Uint8Array, from: number, to: number, out: JsonOutput): boolean {
  const begin = source[from] === MINUS ? from + 1 : from;
  const point = endOfDigits(source, begin, to);
  if (!isWhole(source, begin, point)) return false;
  if (point < to && (source[point] !== POINT || point + 1 === to || endOfDigits(source, point + 1, to) !== to)) {
    return false;
  }
  out.copy(source, from, to);
  return true;
}

/** Digits without a leading zero, which JSON forbids. */
function isWhole(source: Uint8Array, from: number, to: number): boolean {
  return to > from && (source[from] !== ZERO || to === from + 1);
}

function endOfDigits(source: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (source[at] as number) >= ZERO && (source[at] as number) <= NINE) at++;
  return at;
}
