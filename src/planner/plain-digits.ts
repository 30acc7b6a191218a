/** More zeros than any type has digits; without a limit `1e999999999` would be a text of as many. */
const MOST_ZEROS = 400;

/** A decimal without an exponent, which makes a double of it on some sources: `1e3` is `1000`; `undefined` when it is too long. */
export function plainDigits(digits: string): string | undefined {
  const match = /^(\d*)(?:\.(\d*))?e([+-]?\d+)$/i.exec(digits);
  if (match === null) return digits;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MOST_ZEROS) return undefined;
  const all = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `0.${"0".repeat(-point)}${all}`;
  return point >= all.length ? all + "0".repeat(point - all.length) : `${all.slice(0, point)}.${all.slice(point)}`;
}
