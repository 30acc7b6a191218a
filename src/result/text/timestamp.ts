/** Text and epoch numbers of timestamps, from exact counts of a unit since 1970-01-01T00:00:00. */
import type { TimeUnit } from "../types.ts";
import { SECONDS_PER_DAY } from "./calendar.ts";
import { calendarText, eraText, parseDate } from "./date.ts";
import { clockText, fractionText, PER_SECOND, parseClock } from "./time.ts";
import { offsetText, type Zone } from "./zone.ts";

/**
 * `YYYY-MM-DD HH:MM:SS.ffffff`, and with a zone ` ±HH:MM`, its offset at that instant (contract §3.3). The fraction has
 * six digits, or nine where nanoseconds would be lost (`fractionText`); years and ` BC` are those of `dateText`.
 */
export function timestampText(value: bigint, unit: TimeUnit, zone?: Zone): string {
  return timestampWriter(unit, zone)(value);
}

/**
 * `timestampText` for the values of one column. Neighbours are often of one day, and the calendar is half of the work,
 * so the last day's text is kept.
 */
export function timestampWriter(unit: TimeUnit, zone?: Zone): (value: bigint) => string {
  const perSecond = PER_SECOND[unit];
  let lastDay = Number.NaN;
  let lastDayText = "";
  return (value) => {
    const { second, fraction } = splitSecond(value, perSecond);
    const offset = zone === undefined ? 0 : zone.offsetAt(second);
    const local = second + offset;
    const day = Math.floor(local / SECONDS_PER_DAY);
    if (day !== lastDay) {
      lastDay = day;
      lastDayText = calendarText(day);
    }
    const text = `${lastDayText} ${clockText(local - day * SECONDS_PER_DAY)}.${fractionText(fraction, unit)}`;
    return zone === undefined ? text + eraText(day) : `${text} ${offsetText(offset)}${eraText(day)}`;
  };
}

/** Whole milliseconds passed since 1970-01-01T00:00:00Z, as the digits of a JSON number (decisions W2). */
export function epochMilliseconds(value: bigint, unit: TimeUnit): string {
  switch (unit) {
    case "s":
      return String(value * 1000n);
    case "ms":
      return String(value);
    case "us":
      return String(floorDivide(value, 1000));
    case "ns":
      return String(floorDivide(value, 1_000_000));
    default:
      return unit satisfies never;
  }
}

export interface ParsedTimestamp {
  /** Since 1970-01-01T00:00:00 on the clock the text shows. */
  readonly localNanoseconds: bigint;
  /** Seconds east of UTC, when the text says so. */
  readonly offset: number | undefined;
}

const TIMESTAMP = /^(\d{4,7}-\d{2}-\d{2})(?:[T ]([\d:.]+))? ?(Z|UTC|[+-]\d{2}(?::?\d{2}(?::\d{2})?)?)?( BC| \(BC\))?$/;

/**
 * Reads a date, or a date and a time with or without an offset, as sources and ISO 8601 write them. Undefined for any
 * other text, and for the infinities, which are no timestamps.
 */
export function parseTimestamp(text: string): ParsedTimestamp | undefined {
  const match = TIMESTAMP.exec(text.trim());
  if (match === null) return undefined;
  const [, date = "", clock = "00:00:00", offset, era = ""] = match;
  const days = parseDate(date + era);
  const nanoseconds = parseClock(clock);
  if (days === undefined || nanoseconds === undefined) return undefined;
  return {
    localNanoseconds: BigInt(days) * 86_400_000_000_000n + BigInt(nanoseconds),
    offset: offset === undefined ? undefined : parseOffset(offset),
  };
}

function parseOffset(text: string): number {
  if (text === "Z" || text === "UTC") return 0;
  const digits = text.slice(1).replaceAll(":", "").padEnd(6, "0");
  const size = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4));
  return text.startsWith("-") ? -size : size;
}

/** Seconds, rounded towards the past, and what is left of the unit. */
function splitSecond(value: bigint, perSecond: number): { readonly second: number; readonly fraction: number } {
  const number = Number(value);
  if (Number.isSafeInteger(number)) {
    const second = Math.floor(number / perSecond);
    return { second, fraction: number - second * perSecond };
  }
  const second = BigInt(floorDivide(value, perSecond));
  return { second: Number(second), fraction: Number(value - second * BigInt(perSecond)) };
}

/** Exact: the quotient of two safe integers never rounds up to the next whole number. */
export function floorDivide(value: bigint, divisor: number): number | bigint {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return Math.floor(number / divisor);
  const exactDivisor = BigInt(divisor);
  const quotient = value / exactDivisor;
  return value < 0n && quotient * exactDivisor !== value ? quotient - 1n : quotient;
}
