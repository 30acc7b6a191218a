/**
 * The ends of a structured query's `dateRange`. Each is read for itself: a date ends with its day, a timestamp is the first
 * one after the range (docs/reference/compatibility.md).
 */
import { parseDateTime } from "../datetimes.ts";
import type { BinaryOperator } from "../syntax/tree.ts";

export interface Bound {
  readonly operator: BinaryOperator;
  readonly value: string;
}

/**
 * Bounds for the values of a time dimension. `isDate`: its values are dates, so a time of day in an end applies to the
 * whole day. Unreadable texts stay unchanged: binding rejects them.
 */
export function boundsOf(start: string, end: string, isDate: boolean): readonly [start: Bound, end: Bound] {
  return [
    { operator: ">=", value: (isDate ? dayAfterTime(start) : undefined) ?? start },
    endOf(end) ?? { operator: "<", value: (isDate ? dayAfterTime(end) : undefined) ?? end },
  ];
}

/** The end of the day that `end` is; `undefined` for a timestamp. */
function endOf(end: string): Bound | undefined {
  const read = parseDateTime(end);
  if (read === undefined) return /infinity$/i.test(end.trim()) ? { operator: "<=", value: end } : undefined;
  if (read.time !== undefined) return undefined;
  const zone = read.zone === undefined ? "" : ` ${read.zone}`;
  // The next day would have a year of five digits, which readers of four digits cannot read.
  if (read.day >= LAST_DAY) return { operator: "<=", value: `${read.day} 23:59:59.999999${zone}` };
  return { operator: "<", value: `${nextDay(read.day)}${zone}` };
}

/** For an end within a day: the first date that is not before it. */
function dayAfterTime(text: string): string | undefined {
  const read = parseDateTime(text);
  if (read?.time === undefined || read.date >= LAST_DAY) return undefined;
  return read.time === "00:00:00" ? read.date : nextDay(read.date);
}

const LAST_DAY = "9999-12-31";

function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, LAST_DAY.length);
}
