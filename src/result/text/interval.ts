/** Text of intervals (docs/spec/contract.md#text-of-intervals). */
import type { IntervalValue } from "../types.ts";
import { paddedDigits } from "./digits.ts";

/**
 * Months, days, hours, minutes and seconds in that order, zero parts left out, each with its own sign, seconds with nine
 * decimals: `14 mons 3 days`, `-1 hours -30 mins`, `0.100000000 secs`. `0 secs` when nothing is left.
 */
export function intervalText(value: IntervalValue): string {
  const parts: string[] = [];
  if (value.months !== 0) parts.push(`${value.months} mons`);
  if (value.days !== 0) parts.push(`${value.days} days`);
  const negative = value.microseconds < 0n;
  const size = negative ? -value.microseconds : value.microseconds;
  const sign = negative ? "-" : "";
  const hours = size / 3_600_000_000n;
  const belowHour = Number(size % 3_600_000_000n);
  const minutes = Math.floor(belowHour / 60_000_000);
  const microseconds = belowHour - minutes * 60_000_000;
  if (hours !== 0n) parts.push(`${sign}${hours} hours`);
  if (minutes !== 0) parts.push(`${sign}${minutes} mins`);
  if (microseconds !== 0) {
    const seconds = Math.floor(microseconds / 1_000_000);
    parts.push(`${sign}${seconds}.${paddedDigits(microseconds - seconds * 1_000_000, 6)}000 secs`);
  }
  return parts.length === 0 ? "0 secs" : parts.join(" ");
}
