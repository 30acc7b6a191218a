/**
 * Converts the text of a PostgreSQL value exactly to its canonical form. The formats are those of the session that `session.ts`
 * sets: ISO dates, IntervalStyle postgres, hexadecimal bytea, shortest exact floats.
 */
import { parseDate } from "../../result/text/date.ts";
import { parseTimeOfDay } from "../../result/text/time.ts";
import { parseMicroseconds } from "../../result/text/timestamp.ts";
import type { IntervalValue } from "../../result/types.ts";
import { UnreadableValue } from "../unreadable-value.ts";

export function readText(text: string): string {
  return text;
}

export function readBoolean(text: string): boolean {
  return text === "t";
}

export function readInt64(text: string): bigint {
  return BigInt(text);
}

/** PostgreSQL spells `NaN`, `Infinity` and `-Infinity` as JavaScript does. */
export function readFloat64(text: string): number {
  return Number(text);
}

/** The text is the shortest that identifies the 32-bit number; as a 64-bit number it would have another value. */
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
  return bytesFrom(text, 2);
}

/** VARBYTE of Redshift: https://docs.aws.amazon.com/redshift/latest/dg/r_VARBYTE_type.html */
export function readHexadecimal(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new UnreadableValue("a varbyte that is not hexadecimal");
  return bytesFrom(text, 0);
}

function bytesFrom(text: string, start: number): Uint8Array {
  const bytes = new Uint8Array((text.length - start) / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (hexDigit(text.charCodeAt(start + i * 2)) << 4) | hexDigit(text.charCodeAt(start + 1 + i * 2));
  }
  return bytes;
}

function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

/** Days since 1970-01-01; ±Infinity for `infinity` and `-infinity`. */
export function readDate(text: string): number {
  return parseDate(text) ?? unreadable("a date");
}

/** Nanoseconds since midnight; `24:00:00` is a time in PostgreSQL. */
export function readTime(text: string): number {
  return parseTimeOfDay(text) ?? unreadable("a date or time");
}

/** Microseconds since 1970-01-01 00:00:00, as local time or, with an offset in the text, in UTC. */
export function readTimestamp(text: string): bigint | "infinity" | "-infinity" {
  if (text === "infinity" || text === "-infinity") return text;
  return parseMicroseconds(text) ?? unreadable("a timestamp");
}

function unreadable(what: string): never {
  throw new UnreadableValue(what);
}

const INTERVAL =
  /^(?:([+-]?\d+) years? ?)?(?:([+-]?\d+) mons? ?)?(?:([+-]?\d+) days? ?)?(?:([+-])?(\d+):(\d{2}):(\d{2})(?:\.(\d{1,6}))?)?$/;

/** IntervalStyle postgres: `1 year 2 mons -3 days +04:05:06.789`; a sign before the time applies to all its parts. */
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
