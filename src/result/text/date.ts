/**
 * Text of dates: `YYYY-MM-DD`, and PostgreSQL's spelling outside the years 1 to 9999, which has no sign to confuse and
 * reads back exactly: more digits after 9999 (`12345-06-07`), ` BC` before year 1 (`0044-03-15 BC`), `infinity`.
 */
import { civilDate, epochDays } from "./calendar.ts";
import { paddedDigits, twoDigits } from "./digits.ts";

/** 0001-01-01. */
const FIRST_DAY_OF_OUR_ERA = -719_162;

const DATE = /^(\d{4,7})-(\d{2})-(\d{2})(?: BC| \(BC\))?$/;

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

/** What follows a date, or a date and time, that lies before year 1. */
export function eraText(days: number): "" | " BC" {
  return days < FIRST_DAY_OF_OUR_ERA ? " BC" : "";
}

/** Days since 1970-01-01 of a text that `dateText` could have written (or DuckDB's ` (BC)`); undefined for any other. */
export function parseDate(text: string): number | undefined {
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  if (text === "-infinity") return Number.NEGATIVE_INFINITY;
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const shown = Number(match[1]);
  const year = /BC/.test(text) ? 1 - shown : shown;
  const month = Number(match[2]);
  const day = Number(match[3]);
  if (shown === 0 || month < 1 || month > 12 || day < 1) return undefined;
  const days = epochDays(year, month, day);
  return civilDate(days).month === month ? days : undefined;
}
