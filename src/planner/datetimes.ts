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
  const [whole, year = day[5], , month = day[6], number = day[7]] = day;
  const written = calendarDay(Number(year), Number(month), Number(number));
  if (written === undefined) return undefined;
  const behind = trimmed.slice(whole.length);
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
  const time = clockText(clock.microseconds - days * MICROSECONDS_OF_DAY);
  return {
    day: written,
    date: days === 0 ? written : dayAfter(Number(year), Number(month), Number(number)),
    time,
    zone: clock.zone,
  };
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

const DAYS_OF_MONTHS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** The last whole year of JavaScript's calendar. */
const LAST_YEAR = 275_759;

/** The day as `YYYY-MM-DD`. `undefined` for days and months that the calendar does not have, for the year 0, and beyond `LAST_YEAR`. */
function calendarDay(year: number, month: number, day: number): string | undefined {
  if (year === 0 || year > LAST_YEAR) return undefined;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0);
  return day >= 1 && day <= days ? isoDate(year, month, day) : undefined;
}

function dayAfter(year: number, month: number, day: number): string {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day + 1);
  return isoDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));

const isoDate = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
