/** Zero-padded digits, from tables: dates and times are most of what an answer's text is made of. */

const TWO: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));

/** 0 to 99 as two digits. */
export function twoDigits(value: number): string {
  return TWO[value] ?? String(value);
}

/** A non-negative integer with at least `width` digits. */
export function paddedDigits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
