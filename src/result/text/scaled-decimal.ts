/** Decimals that a source returns as an integer and a scale. */

/** `-5` with scale 2 → `-0.05`: takes the digits of the unscaled integer, returns all digits of the column. */
export function decimalText(unscaled: string, scale: number): string {
  if (scale === 0) return unscaled;
  const isNegative = unscaled.startsWith("-");
  const digits = (isNegative ? unscaled.slice(1) : unscaled).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${isNegative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}
