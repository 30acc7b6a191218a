/**
 * From the text of a PostgreSQL value to its canonical form, exactly. The formats are those of the session that
 * `session.ts` sets: ISO dates, IntervalStyle postgres, hexadecimal bytea, shortest exact floats.
 */
import { epochDays } from "../../result/text/calendar.ts";
import type { IntervalValue } from "../../result/types.ts";

/** The text is not what the type's output function writes, or the value has no canonical form. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

export function readText(text: string): string {
  return text;
}

export function readBoolean(text: string): boolean {
  return text === "t";
}

export function readInt64(text: string): bigint {
  return BigInt(text);
}

/** `NaN`, `Infinity` and `-Infinity` are spelled as JavaScript spells them. */
export function readFloat64(text: string): number {
  return Number(text);
}

/** The text is the shortest that names the 32-bit number; as a 64-bit one it would be another. */
export function readFloat32(text: string): number {
  return Math.fround(Number(text));
}

/** `$1,234.56`, `-$1,234.56` or `($1,234.56)`. */
export function readMoney(text: string): string {
  const digits = text.replaceAll(/[^\d.]/g, "");
  return /[-(]/.test(text) ? `-${digits}` : digits;
}

export function readBytes(text: string): Uint8Array {
  if (!text.startsWith("\\x")) throw new UnreadableValue("a bytea that is not hexadecimal");
  const bytes = new Uint8Array((text.length - 2) / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (hexDigit(text.charCodeAt(2 + i * 2)) << 4) | hexDigit(text.charCodeAt(3 + i * 2));
  }
  return bytes;
}

function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

/** Days since 1970-01-01; `infinity` as the number of that name. */
export function readDate(text: string): number {
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  if (text === "-infinity") return Number.NEGATIVE_INFINITY;
  return dayNumber(text, text.length).days;
}

/** Nanoseconds since midnight; `24:00:00` is a time in PostgreSQL. */
export function readTime(text: string): number {
  return Number(microsecondsOfDay(text, 0).microseconds) * 1000;
}

/** Microseconds since 1970-01-01 00:00:00, as local time or, with an offset in the text, in UTC. */
export function readTimestamp(text: string): bigint | "infinity" | "-infinity" {
  if (text === "infinity" || text === "-infinity") return text;
  const blank = text.indexOf(" ");
  if (blank < 0) throw new UnreadableValue("a timestamp");
  const { days } = dayNumber(text, blank);
  const { microseconds, end } = microsecondsOfDay(text, blank + 1);
  const isUtc = end === text.length || (end === text.length - 3 && text.endsWith("+00"));
  const offsetSeconds = isUtc ? 0 : offsetAt(text, end);
  // Within three centuries of 1970 a number holds every microsecond, and one conversion is a fifth of the work of five.
  const whole = (days * 86_400 - offsetSeconds) * 1_000_000;
  if (Number.isSafeInteger(whole) && Number.isSafeInteger(whole + microseconds)) return BigInt(whole + microseconds);
  return (BigInt(days) * 86_400n - BigInt(offsetSeconds)) * 1_000_000n + BigInt(microseconds);
}

/** `YYYY-MM-DD` up to `end`, with more digits for far years; ` BC` at the end of the whole text turns the year around. */
function dayNumber(text: string, end: number): { days: number } {
  const beforeChrist = text.endsWith(" BC");
  const last = beforeChrist && end === text.length ? end - 3 : end;
  const written = Number(text.slice(0, last - 6));
  const month = twoDigits(text, last - 5);
  const day = twoDigits(text, last - 2);
  if (!(written > 0) || text[last - 6] !== "-" || text[last - 3] !== "-") throw new UnreadableValue("a date");
  return { days: epochDays(beforeChrist ? 1 - written : written, month, day) };
}

/** `HH:MM:SS[.ffffff]` from `start`. */
function microsecondsOfDay(text: string, start: number): { microseconds: number; end: number } {
  const seconds = (twoDigits(text, start) * 60 + twoDigits(text, start + 3)) * 60 + twoDigits(text, start + 6);
  let end = start + 8;
  let fraction = 0;
  if (text[end] === ".") {
    let unit = 100_000;
    for (end++; unit >= 1 && isDigit(text.charCodeAt(end)); end++, unit /= 10) {
      fraction += (text.charCodeAt(end) - 0x30) * unit;
    }
  }
  return { microseconds: seconds * 1_000_000 + fraction, end };
}

/** `+HH`, `-HH:MM`, `+HH:MM:SS`, in seconds east; anything else there is the era. */
function offsetAt(text: string, start: number): number {
  const match = /^([+-])(\d{2})(?::(\d{2}))?(?::(\d{2}))?/.exec(text.slice(start));
  if (match === null) return 0;
  const [, sign, hours, minutes = "0", seconds = "0"] = match;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -total : total;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  if (!(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) throw new UnreadableValue("a date or time");
  return tens * 10 + ones;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const INTERVAL =
  /^(?:([+-]?\d+) years? ?)?(?:([+-]?\d+) mons? ?)?(?:([+-]?\d+) days? ?)?(?:([+-])?(\d+):(\d{2}):(\d{2})(?:\.(\d{1,6}))?)?$/;

/** IntervalStyle postgres: `1 year 2 mons -3 days +04:05:06.789`; a sign before the time holds for all of it. */
export function readInterval(text: string): IntervalValue {
  const match = INTERVAL.exec(text);
  if (match === null) throw new UnreadableValue("an interval without end");
  const [, years = "0", months = "0", days = "0", sign, hours = "0", minutes = "0", seconds = "0", fraction = ""] =
    match;
  const time =
    ((BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
  return {
    months: Number(years) * 12 + Number(months),
    days: Number(days),
    microseconds: sign === "-" ? -time : time,
  };
}
