/** Writes dates and timestamps as bytes. The functions return false for values that `value-writers.ts` has to write. */
import { civilDate, SECONDS_PER_DAY } from "../../text/calendar.ts";
import { PER_SECOND } from "../../text/time.ts";
import type { Zone } from "../../text/zone.ts";
import type { TimeUnit } from "../../types.ts";
import { type JsonOutput, writeDigits } from "./output.ts";

const QUOTE = 0x22;
const BLANK = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;

/** `"YYYY-MM-DD HH:MM:SS.fffffffff +HH:MM"` */
const LONGEST_TIMESTAMP = 38;

const MILLISECONDS_PER_DAY = 86_400_000;

/** 0001-01-01 and 9999-12-31: dates between them need no era and exactly four digits for the year. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** `"YYYY-MM-DD"` values of one column. Consecutive values often have the same day, so the last one is kept. */
export class DateWriter {
  readonly #text = Uint8Array.from(`"0000-00-00"`, (character) => character.charCodeAt(0));
  #last = Number.NaN;

  write(days: number, out: JsonOutput): boolean {
    if (!Number.isInteger(days) || days < FIRST_DAY || days > LAST_DAY) return false;
    out.copy(this.quoted(days), 0, 12);
    return true;
  }

  /** The bytes of a day in the years 1 to 9999, valid until the next call. */
  quoted(days: number): Uint8Array {
    const text = this.#text;
    if (days === this.#last) return text;
    this.#last = days;
    const { year, month, day } = civilDate(days);
    writeDigits(text, 1, year, 4);
    writeDigits(text, 6, month, 2);
    writeDigits(text, 9, day, 2);
    return text;
  }
}

/** The milliseconds of a day's midnight, as a number. */
export function writeEpochOfDate(days: number, out: JsonOutput): boolean {
  const milliseconds = days * MILLISECONDS_PER_DAY;
  if (!Number.isInteger(days) || !Number.isSafeInteger(milliseconds)) return false;
  out.integer(milliseconds);
  return true;
}

/** Writes the timestamps of one column. */
export class TimestampWriter {
  readonly #unit: TimeUnit;
  readonly #perSecond: number;
  readonly #isText: boolean;
  readonly #zone: Zone | undefined;
  readonly #dates = new DateWriter();

  constructor(unit: TimeUnit, form: "text" | "epoch-milliseconds", zone: Zone | undefined) {
    this.#unit = unit;
    this.#perSecond = PER_SECOND[unit];
    this.#isText = form === "text";
    this.#zone = zone;
  }

  /** A `value` that is not a safe integer may have been rounded, and is not written. */
  write(value: number, out: JsonOutput): boolean {
    if (!Number.isSafeInteger(value)) return false;
    return this.#isText ? this.#writeText(value, out) : this.#writeEpoch(value, out);
  }

  #writeText(value: number, out: JsonOutput): boolean {
    const zone = this.#zone;
    const second = Math.floor(value / this.#perSecond);
    const offset = zone === undefined ? 0 : zone.offsetAt(second);
    const local = second + offset;
    const day = Math.floor(local / SECONDS_PER_DAY);
    if (offset % 60 !== 0 || day < FIRST_DAY || day > LAST_DAY) return false;
    const at = out.room(LONGEST_TIMESTAMP);
    const { bytes } = out;
    const date = this.#dates.quoted(day);
    for (let index = 0; index < 11; index++) bytes[at + index] = date[index] as number;
    bytes[at + 11] = BLANK;
    const seconds = local - day * SECONDS_PER_DAY;
    const minutes = Math.floor(seconds / 60);
    writeHoursAndMinutes(bytes, at + 12, minutes);
    bytes[at + 17] = COLON;
    writeDigits(bytes, at + 18, seconds - minutes * 60, 2);
    bytes[at + 20] = POINT;
    let end = this.#writeFraction(value - second * this.#perSecond, bytes, at + 21);
    if (zone !== undefined) {
      bytes[end] = BLANK;
      bytes[end + 1] = offset < 0 ? MINUS : PLUS;
      writeHoursAndMinutes(bytes, end + 2, Math.abs(offset) / 60);
      end += 7;
    }
    bytes[end] = QUOTE;
    out.advance(end + 1 - at);
    return true;
  }

  /** Writes the digits of `fractionText`, and returns the end position. */
  #writeFraction(fraction: number, bytes: Uint8Array, at: number): number {
    if (this.#unit === "ns" && fraction % 1000 !== 0) {
      writeDigits(bytes, at, fraction, 9);
      return at + 9;
    }
    writeDigits(bytes, at, (fraction * 1_000_000) / this.#perSecond, 6);
    return at + 6;
  }

  #writeEpoch(value: number, out: JsonOutput): boolean {
    const perMillisecond = this.#perSecond / 1000;
    // For a unit of seconds, the number of milliseconds may be too large to be exact.
    if (perMillisecond < 1) return false;
    out.integer(Math.floor(value / perMillisecond));
    return true;
  }
}

function writeHoursAndMinutes(bytes: Uint8Array, at: number, minutes: number): void {
  const hours = Math.floor(minutes / 60);
  writeDigits(bytes, at, hours, 2);
  bytes[at + 2] = COLON;
  writeDigits(bytes, at + 3, minutes - hours * 60, 2);
}
