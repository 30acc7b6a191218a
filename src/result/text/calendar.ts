/** The proleptic Gregorian calendar, with a year 0 (1 BC), for any range: `Date` ends in the year 275760. */

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

export const SECONDS_PER_DAY = 86_400;

/** The calendar, weekdays included, repeats after 400 years, which have this many days. */
export const DAYS_PER_CYCLE = 146_097;

/**
 * Days from 1 March of the year 0 to 1970-01-01. Years begin in March in these functions, so that the leap day is the last day.
 */
const EPOCH = 719_468;

export function civilDate(epochDays: number): CivilDate {
  const days = epochDays + EPOCH;
  const cycle = Math.floor(days / DAYS_PER_CYCLE);
  const dayOfCycle = days - cycle * DAYS_PER_CYCLE;
  const yearOfCycle = Math.floor(
    (dayOfCycle - Math.floor(dayOfCycle / 1460) + Math.floor(dayOfCycle / 36_524) - Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear = dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** Days since 1970-01-01; a day or month outside its range carries over into the next. */
export function epochDays(year: number, month: number, day: number): number {
  const yearFromMarch = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(yearFromMarch / 400);
  const yearOfCycle = yearFromMarch - cycle * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfCycle = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * DAYS_PER_CYCLE + dayOfCycle - EPOCH;
}

/** @param month 1 to 12. */
export function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
