/** Digits; two-digit numbers come from tables, because dates and times are most of an answer's text. */

const TWO: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));

/** 0 to 99 as two digits. */
export function twoDigits(value: number): string {
  return TWO[value] ?? String(value);
}

/** A non-negative integer with at least `width` digits. */
export function paddedDigits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

const ZERO = 0x30;

/** The number in the range [`from`, `to`); -1 unless the range consists of one or more digits. */
export function readDigits(text: string, from: number, to: number): number {
  let value = from < to ? 0 : -1;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}
