/** Text and epoch numbers of timestamps, from exact counts of a unit since 1970-01-01T00:00:00. */
import type { TimeUnit } from "../types.ts";
import { SECONDS_PER_DAY } from "./calendar.ts";
import { calendarText, daysBetween, endBeforeEra, eraText } from "./date.ts";
import { fractionText, PER_SECOND, parseTimeOfDay, timeOfDayText } from "./time.ts";
import { offsetText, type Zone } from "./zone.ts";

/**
 * `YYYY-MM-DD HH:MM:SS.ffffff`, and with a zone ` ±HH:MM`, the offset at that instant (docs/spec/contract.md#values). The fraction
 * has six digits, or nine where nanoseconds would be lost (`fractionText`); years and ` BC` follow `dateText`.
 */
export function timestampText(value: bigint, unit: TimeUnit, zone?: Zone): string {
  return timestampWriter(unit, zone)(value);
}

/**
 * `timestampText` for the values of one column. Consecutive values often have the same day, and computing the date is half of the
 * work, so the text of the last day is kept.
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
    const text = `${lastDayText} ${timeOfDayText(local - day * SECONDS_PER_DAY)}.${fractionText(fraction, unit)}`;
    return zone === undefined ? text + eraText(day) : `${text} ${offsetText(offset)}${eraText(day)}`;
  };
}

/**
 * Whole milliseconds since 1970-01-01T00:00:00Z, rounded down, as the digits of a JSON number
 * (docs/decisions/0001-two-profiles.md).
 */
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
  /** Since 1970-01-01T00:00:00 in the local time of the text. */
  readonly localNanoseconds: bigint;
  /** Seconds east of UTC, when the text has an offset. */
  readonly offset: number | undefined;
}

/**
 * Reads a date, or a date and a time with or without an offset, as sources and ISO 8601 write them. Undefined for any other text,
 * and for the infinities, which are not timestamps.
 */
export function parseTimestamp(text: string): ParsedTimestamp | undefined {
  const parts = partsOf(text.trim());
  if (parts === undefined) return undefined;
  const { days, nanoseconds, offset } = parts;
  return { localNanoseconds: BigInt(days) * 86_400_000_000_000n + BigInt(nanoseconds), offset };
}

/**
 * Microseconds since 1970-01-01T00:00:00 of text that `parseTimestamp` accepts, without surrounding blanks; in UTC when it has an
 * offset. Also undefined for more than six fraction digits: nothing is rounded.
 */
export function parseMicroseconds(text: string): bigint | undefined {
  const parts = partsOf(text);
  if (parts === undefined || parts.nanoseconds % 1000 !== 0) return undefined;
  const { days, nanoseconds, offset = 0 } = parts;
  const microseconds = nanoseconds / 1000;
  // Within three centuries of 1970 a number holds every microsecond, and one conversion is a fifth of the work of five.
  const whole = (days * SECONDS_PER_DAY - offset) * 1_000_000 + microseconds;
  if (Number.isSafeInteger(whole)) return BigInt(whole);
  return (BigInt(days) * 86_400n - BigInt(offset)) * 1_000_000n + BigInt(microseconds);
}

interface TimestampParts {
  /** Days since 1970-01-01 of the date in the text. */
  readonly days: number;
  /** Nanoseconds since midnight of the time in the text. */
  readonly nanoseconds: number;
  readonly offset: number | undefined;
}

function partsOf(text: string): TimestampParts | undefined {
  const end = endBeforeEra(text);
  // The year usually has four digits, but may have more.
  const endOfYear = text.charCodeAt(4) === DASH ? 4 : text.indexOf("-");
  const endOfDate = endOfYear + "-MM-DD".length;
  const days = daysBetween(text, 0, endOfDate, end < text.length);
  if (days === undefined) return undefined;
  let at = endOfDate;
  let nanoseconds: number | undefined = 0;
  const separator = text.charCodeAt(at);
  const endOfClock = separator === BLANK || separator === T ? clockEnd(text, at + 1) : at;
  if (endOfClock > at + 1) {
    nanoseconds = parseTimeOfDay(text, at + 1, endOfClock);
    at = endOfClock;
  }
  const offset =
    at === end ? undefined : end === at + 3 && text.startsWith("+00", at) ? 0 : parseOffset(text.slice(at, end));
  if (nanoseconds === undefined || Number.isNaN(offset)) return undefined;
  return { days, nanoseconds, offset };
}

const BLANK = 0x20;
const DASH = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const T = 0x54;

/** The end of the digits, colons and points that begin at `from`. */
function clockEnd(text: string, from: number): number {
  let at = from;
  // ":" follows "9" in ASCII, so one range covers both.
  for (let code = text.charCodeAt(at); (code >= ZERO && code <= COLON) || code === POINT; code = text.charCodeAt(at))
    at++;
  return at;
}

const OFFSET = /^ ?(?:(Z|UTC)|([+-])(\d{2})(?::?(\d{2})(?::(\d{2}))?)?)?$/;

/** NaN for text that is not an offset. */
function parseOffset(text: string): number | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return Number.NaN;
  const [, utc, sign, hours = "0", minutes = "0", seconds = "0"] = match;
  if (utc !== undefined) return 0;
  if (sign === undefined) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return sign === "-" ? -size : size;
}

/** Seconds, rounded down, and the remainder in the unit. */
function splitSecond(value: bigint, perSecond: number): { readonly second: number; readonly fraction: number } {
  const number = Number(value);
  if (Number.isSafeInteger(number)) {
    const second = Math.floor(number / perSecond);
    return { second, fraction: number - second * perSecond };
  }
  const second = BigInt(floorDivide(value, perSecond));
  return { second: Number(second), fraction: Number(value - second * BigInt(perSecond)) };
}

/** Exact: the quotient of two safe integers never rounds up to the next integer. */
export function floorDivide(value: bigint, divisor: number): number | bigint {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return Math.floor(number / divisor);
  const exactDivisor = BigInt(divisor);
  const quotient = value / exactDivisor;
  return value < 0n && quotient * exactDivisor !== value ? quotient - 1n : quotient;
}
