/** Values as the driver hands them over, with the bytes of moments (`driver.ts`), in the canonical form. */
import { UnreadableValue } from "../../src/connectors/unreadable-value.ts";
import { daysOfMonth, epochDays } from "../../src/result/text/calendar.ts";
import { canonicalDecimal } from "../../src/result/text/decimal.ts";
import type { IntervalValue } from "../../src/result/types.ts";
import type { TimestampBytes } from "./driver.ts";

/** Half a pair has no other form; the driver makes a text of any two bytes. */
export function text(value: unknown): string {
  if (typeof value !== "string" || !value.isWellFormed()) throw new UnreadableValue("text that is not Unicode");
  return value;
}

/** `.5` is 0.5; with a scale it has as many digits behind the point. */
export function decimal(value: unknown, scale?: number): string {
  const written = typeof value === "string" ? canonicalDecimal(value) : undefined;
  if (written === undefined) throw new UnreadableValue("no number");
  if (scale === undefined || scale === 0) return written;
  const [whole = "0", fraction = ""] = written.split(".");
  return `${whole}.${fraction.padEnd(scale, "0")}`;
}

export function integer(value: unknown, bits: 31 | 63): bigint {
  const [, whole] = /^(-?\d+)$/.exec(decimal(value)) ?? [];
  if (whole === undefined) throw new UnreadableValue("a number with a fraction, where whole ones are meant");
  const number = BigInt(whole);
  if (BigInt.asIntN(bits + 1, number) !== number) throw new UnreadableValue(`a number of more than ${bits + 1} bits`);
  return number;
}

/** 1 or 0. */
export function truth(value: unknown): boolean {
  const number = decimal(value);
  if (number !== "1" && number !== "0")
    throw new UnreadableValue("a number that is neither 1 nor 0, where a truth value is meant");
  return number === "1";
}

export function double(value: unknown): number {
  if (typeof value !== "number") throw new UnreadableValue("no number");
  return value;
}

const NANOSECONDS = 1_000_000_000n;
const NANOSECONDS_PER_DAY = 86_400n * NANOSECONDS;
const FIRST_YEAR = -4712;
const LAST_YEAR = 9999;

/** Local time, in nanoseconds. */
export function localTimestamp(value: unknown): bigint {
  return nanosecondsOf((value as TimestampBytes).bytes);
}

/** Days since 1970, for a timestamp at midnight. */
export function day(value: unknown): number {
  const nanoseconds = localTimestamp(value);
  if (nanoseconds % NANOSECONDS_PER_DAY !== 0n) throw new UnreadableValue("a time of day, where a day is meant");
  return Number(nanoseconds / NANOSECONDS_PER_DAY);
}

/** An instant, which is sent in UTC, or as the clocks of the database show it. */
export function timestampInUtc(value: unknown): bigint {
  const { bytes, databaseOffset } = value as TimestampBytes;
  if (databaseOffset === undefined) {
    throw new UnreadableValue(
      "a moment in the time zone of a database that is a region (ALTER DATABASE SET TIME_ZONE)",
    );
  }
  return nanosecondsOf(bytes) - BigInt(databaseOffset) * 60n * NANOSECONDS;
}

/** Century and year are stored with 100 added, times of day with 1; nanoseconds follow, if present. */
function nanosecondsOf(bytes: Uint8Array): bigint {
  if (bytes.length < 7) throw new UnreadableValue("a moment that is cut short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [century = 0, yearOfCentury = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytes;
  const year = (century - 100) * 100 + yearOfCentury - 100;
  const fraction = bytes.length >= 11 ? view.getUint32(7) : 0;
  // Oracle has no year 0: its year -1 is the year 0 of the proleptic calendar.
  const counted = year < 0 ? year + 1 : year;
  const isDay = year >= FIRST_YEAR && year <= LAST_YEAR && year !== 0 && month >= 1 && month <= 12 && day >= 1;
  // Oracle uses the Julian calendar before 1582, some of whose leap days do not exist in ours.
  if (!isDay || day > daysOfMonth(counted, month)) throw new UnreadableValue("a day that is in no calendar");
  const seconds = (hour - 1) * 3600 + (minute - 1) * 60 + (second - 1);
  if (hour < 1 || hour > 24 || minute < 1 || minute > 60 || second < 1 || second > 60 || fraction >= 1e9) {
    throw new UnreadableValue("a time that is no time of day");
  }
  return (BigInt(epochDays(counted, month, day)) * 86_400n + BigInt(seconds)) * NANOSECONDS + BigInt(fraction);
}

export function monthsAlone(value: unknown): IntervalValue {
  const { years, months } = value as { readonly years: number; readonly months: number };
  return { months: years * 12 + months, days: 0, microseconds: 0n };
}

export function daysAndTime(value: unknown): IntervalValue {
  const { days, hours, minutes, seconds, fseconds } = value as Readonly<Record<string, number>>;
  const part = (count: number | undefined): bigint => BigInt(count ?? 0);
  const nanoseconds = ((part(hours) * 60n + part(minutes)) * 60n + part(seconds)) * NANOSECONDS + part(fseconds);
  if (nanoseconds % 1000n !== 0n) throw new UnreadableValue("an interval of less than a microsecond");
  return { months: 0, days: days ?? 0, microseconds: nanoseconds / 1000n };
}
