/**
 * Text of dates: `YYYY-MM-DD`, and PostgreSQL's spelling outside the years 1 to 9999. It has no ambiguous sign and reads back
 * exactly: more digits after 9999 (`12345-06-07`), ` BC` before year 1 (`0044-03-15 BC`), `infinity`.
 */
import { civilDate, daysOfMonth, epochDays } from "./calendar.ts";
import { paddedDigits, readDigits, twoDigits } from "./digits.ts";

/** 0001-01-01. */
const FIRST_DAY_OF_OUR_ERA = -719_162;

/** `days` since 1970-01-01, or ±Infinity. */
export function dateText(days: number): string {
  if (days === Number.POSITIVE_INFINITY) return "infinity";
  if (days === Number.NEGATIVE_INFINITY) return "-infinity";
  return calendarText(days) + eraText(days);
}

/** The digits of a date without its era. */
export function calendarText(days: number): string {
  const { year, month, day } = civilDate(days);
  const shown = year > 0 ? year : 1 - year;
  const digits = shown > 999 ? String(shown) : paddedDigits(shown, 4);
  return `${digits}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** The suffix of a date, or of a date and time, before year 1. */
export function eraText(days: number): "" | " BC" {
  return days < FIRST_DAY_OF_OUR_ERA ? " BC" : "";
}

const DASH = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Days since 1970-01-01 of a text that `dateText` could have written (or with DuckDB's ` (BC)`); undefined for any other text.
 */
export function parseDate(text: string): number | undefined {
  const end = endBeforeEra(text);
  const days = daysBetween(text, 0, end, end < text.length);
  if (days !== undefined) return days;
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  return text === "-infinity" ? Number.NEGATIVE_INFINITY : undefined;
}

/** Index where the era suffix begins, with its blank; the text's length if it has none. */
export function endBeforeEra(text: string): number {
  // Nearly all texts end with a digit.
  const last = text.charCodeAt(text.length - 1);
  if (last >= ZERO && last <= NINE) return text.length;
  if (text.endsWith(" BC")) return text.length - 3;
  return text.endsWith(" (BC)") ? text.length - 5 : text.length;
}

/** Days since 1970-01-01 of the `YYYY-MM-DD` in the range, with more digits for far years; undefined for an invalid date. */
export function daysBetween(text: string, from: number, to: number, isBeforeChrist: boolean): number | undefined {
  const digitsOfYear = to - from - "-MM-DD".length;
  if (digitsOfYear < 4 || digitsOfYear > 7 || text.charCodeAt(to - 6) !== DASH) return undefined;
  if (text.charCodeAt(to - 3) !== DASH) return undefined;
  const shown = readDigits(text, from, to - 6);
  const month = readDigits(text, to - 5, to - 3);
  const day = readDigits(text, to - 2, to);
  const year = isBeforeChrist ? 1 - shown : shown;
  if (shown < 1 || month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  return epochDays(year, month, day);
}
