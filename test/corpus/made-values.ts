/** Values for the generators beyond days: instants, decimals as text, uuids. */
import type { Random } from "../support/random-query.ts";

/** Both ends included. */
export function between(random: Random, low: number, high: number): number {
  return low + random.below(high - low + 1);
}

/** `2024-02-29 23:59:00` and 1 → `2024-03-01 00:00:00`. */
export function minutesAfter(time: string, minutes: number): string {
  const moment = new Date(Date.parse(`${time.replace(" ", "T")}Z`) + minutes * 60_000);
  return moment.toISOString().slice(0, 19).replace("T", " ");
}

/** The same day of a later month, or the last day that it has: `2024-01-31` and 1 → `2024-02-29`. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** `12345` with two places → `123.45`, as text: a number of JavaScript would not keep it exact. */
export function decimal(units: number, places: number): string {
  const digits = String(Math.abs(units)).padStart(places + 1, "0");
  return `${units < 0 ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export function uuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}
