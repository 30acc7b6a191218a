/** Text of times of day. */
import type { TimeUnit } from "../types.ts";
import { paddedDigits, twoDigits } from "./digits.ts";

export const PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };

const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;

/** `HH:MM:SS` of whole seconds since midnight; 24:00:00 is a time of PostgreSQL, and MySQL's count further. */
export function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${twoDigits(hours)}:${twoDigits(minutes - hours * 60)}:${twoDigits(seconds - minutes * 60)}`;
}

/**
 * Digits after the second's point: six (contract §3.3), or nine where nanoseconds say something that six would drop
 * (the reference drops it; values are never rounded here, decisions W3).
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
  return fraction === 0 ? clockText(seconds) : `${clockText(seconds)}.${fractionText(fraction, unit)}`;
}

/** Nanoseconds since midnight of `HH:MM[:SS[.fraction]]`, up to 24:00:00; undefined for any other text. */
export function parseClock(text: string): number | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const [, hours = "", minutes = "", seconds = "0", fraction = ""] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const nanoseconds = whole * 1e9 + Number(fraction.padEnd(9, "0"));
  return nanoseconds <= 86_400e9 ? nanoseconds : undefined;
}
