/** Text of times of day. */
import type { TimeUnit } from "../types.ts";
import { paddedDigits, readDigits, twoDigits } from "./digits.ts";

export const PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };

/** `HH:MM:SS` of whole seconds since midnight; 24:00:00 is a time of PostgreSQL, and MySQL's times go beyond it. */
export function timeOfDayText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${twoDigits(hours)}:${twoDigits(minutes - hours * 60)}:${twoDigits(seconds - minutes * 60)}`;
}

/**
 * Fraction digits: six (docs/spec/contract.md#values), or nine where six would lose nanoseconds (the reference drops them; values
 * are never rounded in the result layer, docs/decisions/0002-exact-values.md).
 */
export function fractionText(fraction: number, unit: TimeUnit): string {
  switch (unit) {
    case "s":
      return "000000";
    case "ms":
      return `${paddedDigits(fraction, 3)}000`;
    case "us":
      return paddedDigits(fraction, 6);
    case "ns":
      return fraction % 1000 === 0 ? paddedDigits(fraction / 1000, 6) : paddedDigits(fraction, 9);
    default:
      return unit satisfies never;
  }
}

/** `HH:MM:SS`, with a fraction when there is one; `value` counts `unit` since midnight and may be negative (MySQL). */
export function timeText(value: number, unit: TimeUnit): string {
  if (value < 0) return `-${timeText(-value, unit)}`;
  const perSecond = PER_SECOND[unit];
  const seconds = Math.floor(value / perSecond);
  const fraction = value - seconds * perSecond;
  return fraction === 0 ? timeOfDayText(seconds) : `${timeOfDayText(seconds)}.${fractionText(fraction, unit)}`;
}

const COLON = 0x3a;
const POINT = 0x2e;

/** Nanoseconds per unit of the last digit, by the number of digits after the point. */
const NANOSECONDS: readonly number[] = Array.from({ length: 10 }, (_, digits) => 10 ** (9 - digits));

/** Nanoseconds since midnight of the `HH:MM[:SS[.fraction]]` in the range, up to 24:00:00; undefined for any other text. */
export function parseTimeOfDay(text: string, from = 0, to = text.length): number | undefined {
  const hours = readDigits(text, from, from + 2);
  const minutes = readDigits(text, from + 3, from + 5);
  const hasSeconds = to > from + 5;
  const seconds = hasSeconds ? readDigits(text, from + 6, from + 8) : 0;
  const digits = to - from - "HH:MM:SS.".length;
  const fraction = digits > 0 ? readDigits(text, to - digits, to) : 0;
  if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59 || fraction < 0) return undefined;
  if (text.charCodeAt(from + 2) !== COLON || (hasSeconds && text.charCodeAt(from + 5) !== COLON)) return undefined;
  if (digits > 0 ? digits > 9 || text.charCodeAt(from + 8) !== POINT : to !== from + (hasSeconds ? 8 : 5))
    return undefined;
  const whole = (hours * 60 + minutes) * 60 + seconds;
  const nanoseconds = whole * 1e9 + fraction * (NANOSECONDS[digits] ?? 0);
  return nanoseconds <= 86_400e9 ? nanoseconds : undefined;
}
