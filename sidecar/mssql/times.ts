/** Dates and times as the protocol has them (MS-TDS §2.2.5.5.1.8), as counts since 1970. */

import { UnreadableValue } from "../../src/connectors/unreadable-value.ts";
import { epochDays } from "../../src/result/text/calendar.ts";
import type { AnswerReader } from "./answer-reader.ts";

const FROM_YEAR_1 = epochDays(1, 1, 1);
const FROM_1900 = epochDays(1900, 1, 1);
const LAST_DAY = epochDays(9999, 12, 31);
const SECONDS_PER_DAY = 86_400;
const NANOSECONDS_PER_DAY = SECONDS_PER_DAY * 1e9;

const DAY_BYTES = 3;
const OFFSET_BYTES = 2;

/** Bytes of a time of day with so many digits of a second. */
function timeBytes(scale: number): number {
  return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
}

export const timeLength = timeBytes;
export const dateTimeLength = (scale: number): number => timeBytes(scale) + DAY_BYTES;
export const offsetTimeLength = (scale: number): number => timeBytes(scale) + DAY_BYTES + OFFSET_BYTES;

export function readDay(reader: AnswerReader): number {
  return inCalendar(FROM_YEAR_1 + reader.uint(DAY_BYTES));
}

/** Nanoseconds since midnight. */
export function readTime(reader: AnswerReader, scale: number): number {
  const nanoseconds = reader.uint(timeBytes(scale)) * 10 ** (9 - scale);
  if (nanoseconds >= NANOSECONDS_PER_DAY) throw new UnreadableValue("a time that is no time of day");
  return nanoseconds;
}

export function readDateTime(reader: AnswerReader, scale: number): bigint {
  const time = readTime(reader, scale);
  return nanoseconds(readDay(reader), time);
}

/** The timestamp, stored in UTC; the offset only says how it was written. */
export function readOffsetTime(reader: AnswerReader, scale: number): bigint {
  const moment = readDateTime(reader, scale);
  reader.skip(OFFSET_BYTES);
  return moment;
}

/** DATETIME counts three hundredths of a second, of which the server itself shows the next millisecond. */
export function readOldDateTime(reader: AnswerReader): bigint {
  const day = inCalendar(FROM_1900 + reader.int32());
  const ticks = reader.uint32();
  const milliseconds = Math.floor((ticks * 10 + 1.5) / 3);
  if (ticks >= SECONDS_PER_DAY * 300) throw new UnreadableValue("a time that is no time of day");
  return nanoseconds(day, milliseconds * 1e6);
}

/** SMALLDATETIME counts minutes. */
export function readSmallDateTime(reader: AnswerReader): bigint {
  const day = FROM_1900 + reader.uint16();
  const minutes = reader.uint16();
  if (minutes >= 1440) throw new UnreadableValue("a time that is no time of day");
  return nanoseconds(day, minutes * 60e9);
}

function nanoseconds(day: number, time: number): bigint {
  return BigInt(day) * BigInt(NANOSECONDS_PER_DAY) + BigInt(time);
}

function inCalendar(day: number): number {
  if (day < FROM_YEAR_1 || day > LAST_DAY) throw new UnreadableValue("a day behind the calendar's end");
  return day;
}
