/**
 * Converts PostgreSQL's texts to values of frames without intermediate strings. Each function accepts only the server's form of
 * common values. For all others it writes nothing and returns false, and `values.ts` reads them. So the accepted texts and their
 * values are those of `values.ts`.
 */
import type { Buffer } from "node:buffer";
import type { ByteWriter } from "../../result/encode/frames/bytes.ts";
import { SECOND, VALUE } from "../../result/encode/frames/values.ts";
import { daysOfMonth, epochDays, SECONDS_PER_DAY } from "../../result/text/calendar.ts";
import { isUtf8 } from "../../result/text/utf8.ts";

const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
const COLON = 0x3a;
const BLANK = 0x20;
const POINT = 0x2e;
const TRUE = 0x74;
const FALSE = 0x66;

const TWO_16 = 2 ** 16;
const TWO_32 = 2 ** 32;
const BILLION = 1_000_000_000;
const MICROSECONDS = 1_000_000;

/** Every integer with this many digits fits into a frame's type. */
const DIGITS_OF_INT64 = 18;
const DIGITS_OF_INT32 = 10;

export function writeText(source: Buffer, from: number, to: number, out: ByteWriter): boolean {
  if (!isUtf8(source, from, to)) return false;
  out.uint8(VALUE);
  out.utf8(source, from, to);
  return true;
}

export function writeBoolean(source: Buffer, from: number, to: number, out: ByteWriter): boolean {
  const letter = source[from];
  if (to !== from + 1 || (letter !== TRUE && letter !== FALSE)) return false;
  out.uint8(letter === TRUE ? VALUE : SECOND);
  return true;
}

/** An integer from `-limit` to below `limit`. */
export function writeSmallInteger(source: Buffer, from: number, to: number, limit: number, out: ByteWriter): boolean {
  const isNegative = source[from] === MINUS;
  const begin = isNegative ? from + 1 : from;
  if (to - begin > DIGITS_OF_INT32) return false;
  const size = digits(source, begin, to);
  const value = isNegative ? -size : size;
  if (!(value >= -limit && value < limit)) return false;
  out.uint8(VALUE);
  out.int32(value);
  return true;
}

export function writeInt64(source: Buffer, from: number, to: number, out: ByteWriter): boolean {
  const isNegative = source[from] === MINUS;
  const begin = isNegative ? from + 1 : from;
  if (to - begin > DIGITS_OF_INT64) return false;
  const middle = Math.max(begin, to - 9);
  const billions = middle === begin ? 0 : digits(source, begin, middle);
  const rest = digits(source, middle, to);
  if (Number.isNaN(billions) || Number.isNaN(rest)) return false;
  // Multiplies `billions` by a billion in halves, so that a binary64 holds every step.
  const upper = Math.floor(billions / TWO_16);
  const lower = (billions - upper * TWO_16) * BILLION + rest;
  const carried = Math.floor(lower / TWO_16);
  const above16 = upper * BILLION + carried;
  const high = Math.floor(above16 / TWO_16);
  const low = (above16 - high * TWO_16) * TWO_16 + lower - carried * TWO_16;
  out.uint8(VALUE);
  if (isNegative) writeHalves(low === 0 ? -high : -high - 1, low === 0 ? 0 : TWO_32 - low, out);
  else writeHalves(high, low, out);
  return true;
}

/** Accepts every text that `Number` accepts, as `readFloat64` does. */
export function writeFloat64(source: Buffer, from: number, to: number, out: ByteWriter): boolean {
  out.uint8(VALUE);
  out.float64(Number(source.toString("latin1", from, to)));
  return true;
}

/** `YYYY-MM-DD` */
export function writeDate(source: Buffer, from: number, to: number, out: ByteWriter): boolean {
  if (to !== from + 10) return false;
  const days = dayAt(source, from);
  if (Number.isNaN(days)) return false;
  out.uint8(VALUE);
  out.float64(days);
  return true;
}

/** `YYYY-MM-DD HH:MM:SS[.ffffff][+00]` */
export function writeTimestamp(source: Buffer, from: number, to: number, out: ByteWriter): boolean {
  const clock = from + 11;
  const end = clock + 8;
  if (end > to || source[clock - 1] !== BLANK || source[clock + 2] !== COLON || source[clock + 5] !== COLON)
    return false;
  const zone = to - 3;
  const isUtc = zone >= end && source[zone] === PLUS && source[zone + 1] === ZERO && source[zone + 2] === ZERO;
  const fraction = fractionAt(source, end, isUtc ? zone : to);
  const seconds = dayAt(source, from) * SECONDS_PER_DAY + secondsAt(source, clock);
  const value = seconds * MICROSECONDS + fraction;
  // Also false when one of its parts is NaN.
  if (!Number.isSafeInteger(seconds * MICROSECONDS) || !Number.isSafeInteger(value)) return false;
  const high = Math.floor(value / TWO_32);
  out.uint8(VALUE);
  writeHalves(high, value - high * TWO_32, out);
  return true;
}

/** Seconds since midnight; NaN for any text except an `HH:MM:SS` before 24:00:00. The caller has checked the colons. */
function secondsAt(source: Buffer, from: number): number {
  const hours = digits(source, from, from + 2);
  const minutes = digits(source, from + 3, from + 5);
  const seconds = digits(source, from + 6, from + 8);
  return hours <= 23 && minutes <= 59 && seconds <= 59 ? (hours * 60 + minutes) * 60 + seconds : Number.NaN;
}

/** Microseconds of `.f` to `.ffffff`, or of an empty text; NaN for any other text. */
function fractionAt(source: Buffer, from: number, to: number): number {
  if (from === to) return 0;
  const width = to - from - 1;
  if (source[from] !== POINT || width < 1 || width > 6) return Number.NaN;
  return digits(source, from + 1, to) * 10 ** (6 - width);
}

/** Days since 1970-01-01; NaN for any text except the `YYYY-MM-DD` of a day after the year 0. */
function dayAt(source: Buffer, from: number): number {
  const year = digits(source, from, from + 4);
  if (!(year > 0) || source[from + 4] !== MINUS || source[from + 7] !== MINUS) return Number.NaN;
  const month = digits(source, from + 5, from + 7);
  const day = digits(source, from + 8, from + 10);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month))) return Number.NaN;
  return epochDays(year, month, day);
}

/** NaN for any text except digits. */
function digits(source: Buffer, from: number, to: number): number {
  if (from >= to) return Number.NaN;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (source[at] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function writeHalves(high: number, low: number, out: ByteWriter): void {
  out.int32(high);
  out.uint32(low);
}
