/** Decimals that a source has as whole numbers and a scale. */

/** `-5` with scale 2 → `-0.05`. Digits of the unscaled integer in, all of the column's digits out. */
export function decimalText(unscaled: string, scale: number): string {
  if (scale === 0) return unscaled;
  const isNegative = unscaled.startsWith("-");
  const digits = (isNegative ? unscaled.slice(1) : unscaled).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${isNegative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}
