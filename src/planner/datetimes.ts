/**
 * Dates and times in texts, read once: year first, as ISO 8601 has them, extended (`2024-01-31T10:30`) or basic
 * (`20240131T1030`), also with slashes or dots. Other orders (`1/2/24`) and words (`now`, `infinity`) mean something else
 * on every engine and are not read (docs/spec/language.md#dates-and-times).
 */

export interface DateTime {
  /** The day as it is written, as `YYYY-MM-DD`. */
  readonly day: string;
  /** The day that `time` is of: the one after where that is 24:00. */
  readonly date: string;
  /** `HH:MM:SS` with up to six digits of a fraction. */
  readonly time: string | undefined;
  /** The written zone: `Z`, `+02:00`, `Europe/Oslo`. */
  readonly zone: string | undefined;
}

const DAY = /^(?:(\d{4,6})([-/.])(\d{1,2})\2(\d{1,2})|(\d{4})(\d{2})(\d{2}))(?!\d)/;
const CLOCK =
  /^(?:(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,12}))?)?|(\d{2})(\d{2})(?:(\d{2})(?:\.(\d{1,12}))?)?)(?![\d.:])(?:\s*([ap])m(?![a-z]))?/i;
const ZONE = /^\s*(Z|[+-]\d{1,2}(?::?\d{2})?(?::\d{2})?|[a-z_]+(?:\/[a-z0-9_+-]+)*)$/i;

/** Whether the text has the shape of a date, valid or not. */
export function isDayShaped(text: string): boolean {
  return DAY.exec(text)?.[0] === text;
}

/** `Z` and what means the same: on a text without a zone of its own it changes nothing. */
export function isUtc(zone: string): boolean {
  return /^(?:Z|UTC|GMT|[+-]00?(?::?00)?(?::00)?)$/i.test(zone);
}

/** The date and time that a text spells; `undefined` for anything else, among it days that no calendar has. */
export function parseDateTime(text: string): DateTime | undefined {
  const trimmed = text.trim();
  const day = DAY.exec(trimmed);
  if (day === null) return undefined;
  const [year, month, number] = (day[1] === undefined ? [day[5], day[6], day[7]] : [day[1], day[3], day[4]]).map(
    Number,
  );
  const date = calendarDay(year ?? 0, month ?? 0, number ?? 0);
  if (date === undefined) return undefined;
  const behind = trimmed.slice(day[0].length);
  const written = isoDate(date);
  const alone = { day: written, date: written, time: undefined };
  if (behind === "") return { ...alone, zone: undefined };
  const separator = /^(?:T|\s+)(?=\d)/i.exec(behind)?.[0];
  if (separator === undefined) {
    // `2024-01-31+02` is refused: a text that reads like a difference is no date.
    const zone = /^\s*[a-z]/i.test(behind) ? ZONE.exec(behind)?.[1] : undefined;
    return zone === undefined ? undefined : { ...alone, zone };
  }
  const clock = parseClock(behind.slice(separator.length));
  if (clock === undefined) return undefined;
  // 24:00:00 and 23:59:60 are the midnight after.
  const days = clock.microseconds >= MICROSECONDS_OF_DAY ? 1 : 0;
  const later = new Date(date);
  later.setUTCDate(later.getUTCDate() + days);
  const time = clockText(clock.microseconds - days * MICROSECONDS_OF_DAY);
  return { day: written, date: isoDate(later), time, zone: clock.zone };
}

/** The time of day that a text spells, with the zone that PostgreSQL drops from one. */
export function parseTimeOfDay(text: string): { readonly time: string; readonly zone: string | undefined } | undefined {
  const clock = parseClock(text.trim());
  return clock && { time: clockText(clock.microseconds), zone: clock.zone };
}

const MICROSECONDS_OF_DAY = 86_400_000_000;

function parseClock(text: string): { readonly microseconds: number; readonly zone: string | undefined } | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const [whole, hours, minutes, seconds, fraction, basicHours, basicMinutes, basicSeconds, basicFraction, half] = match;
  const behind = text.slice(whole.length);
  const zone = behind === "" ? undefined : ZONE.exec(behind)?.[1];
  // Behind AM or PM PostgreSQL takes some zones for something else.
  if (behind !== "" && (zone === undefined || half !== undefined)) return undefined;
  const hour = halfDay(Number(hours ?? basicHours), half);
  const minute = Number(minutes ?? basicMinutes);
  const second = Number(seconds ?? basicSeconds ?? 0);
  const micros = microsecondsOf(fraction ?? basicFraction ?? "");
  if (hour === undefined || micros === undefined || minute > 59 || second > 60) return undefined;
  const microseconds = ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros;
  return microseconds > MICROSECONDS_OF_DAY ? undefined : { microseconds, zone };
}

/** Noon and midnight are 12 PM and 12 AM. */
function halfDay(hours: number, half: string | undefined): number | undefined {
  if (half === undefined) return hours;
  if (hours > 12) return undefined;
  return (hours % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

/** Rounded to six digits; `undefined` in the middle between two, where engines part. */
function microsecondsOf(fraction: string): number | undefined {
  const rest = fraction.slice(6);
  if (/^50*$/.test(rest)) return undefined;
  return Number(fraction.slice(0, 6).padEnd(6, "0")) + (rest >= "5" ? 1 : 0);
}

function clockText(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = String(microseconds % 1_000_000)
    .padStart(6, "0")
    .replace(/(?<!0)0+$/, "");
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return fraction === "" ? clock : `${clock}.${fraction}`;
}

/** `undefined` for days and months that the calendar does not have, and for the year 0. */
function calendarDay(year: number, month: number, day: number): Date | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isThere = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere ? date : undefined;
}

function isoDate(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${String(date.getUTCFullYear()).padStart(4, "0")}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}
