/** Digits, zero-padded ones from tables: dates and times are most of what an answer's text is made of. */

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

/** The number that stands from `from` to before `to`; -1 unless one digit or more stand there and nothing else. */
export function readDigits(text: string, from: number, to: number): number {
  let value = from < to ? 0 : -1;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}
