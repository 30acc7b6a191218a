/** Days and times for the generators: plain arithmetic on UTC, so that a seed gives the same rows everywhere. */

const DAY = 86_400_000;

/** `2024-02-28` and 2 → `2024-03-01`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** `2024-02-29` and 86399 → `2024-02-29 23:59:59`; more seconds than a day has run over into the next. */
export function timeOn(day: string, seconds: number): string {
  return new Date(Date.parse(day) + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** Days that reports get wrong: ends of months and years, the leap day, ISO week 53, daylight saving. */
export const BOUNDARY_DAYS = [
  "2023-12-31",
  "2024-01-01",
  "2024-01-31",
  "2024-02-28",
  "2024-02-29",
  "2024-03-01",
  "2024-03-31",
  "2024-06-30",
  "2024-10-27",
  "2024-12-29",
  "2024-12-30",
  "2024-12-31",
  "2020-12-31",
  "2021-01-03",
] as const;
