/**
 * A binary64 as a JSON number: the shortest digits that read back as the same value, in the form of
 * docs/spec/contract.md#text-of-decimals. An integer keeps one decimal (`1.0`), so that a typed reader detects a float column. Null
 * for NaN and the infinities, which JSON cannot represent.
 */
export function floatNumber(value: number): string | null {
  if (!Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential().replace("e+", "e");
  if (!Number.isInteger(value)) return String(value);
  return Object.is(value, -0) ? "-0.0" : `${value}.0`;
}
