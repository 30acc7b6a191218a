/** The parts of numbers as written, read in linear time whatever text follows. */

export interface Digits {
  /** Digits before and after the decimal point. */
  readonly whole: string;
  readonly fraction: string;
}

/** `12.50e-3`; undefined for anything else. */
export function numberParts(text: string): (Digits & { readonly exponent: string | undefined }) | undefined {
  const match = /^(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text);
  return match === null ? undefined : { whole: match[1] ?? "", fraction: match[2] ?? "", exponent: match[3] };
}

/** `12.50`, without an exponent. */
export function digitsOf(text: string): Digits | undefined {
  const parts = numberParts(text);
  return parts?.exponent === undefined ? parts : undefined;
}

/** Digits of a text that is read as a decimal: spaces around it and a sign are allowed. */
export function digitsOfText(text: string): Digits | undefined {
  return digitsOf(unsigned(text));
}

/** Whether a text can be read as a double whose exponent has at most `mostOfExponent` digits. */
export function isFloatText(text: string, mostOfExponent: number): boolean {
  const { whole = "", fraction = "", exponent = "" } = numberParts(unsigned(text)) ?? {};
  return whole + fraction !== "" && exponent.replace(/^[-+]/, "").length <= mostOfExponent;
}

function unsigned(text: string): string {
  return text.trim().replace(/^[-+]/, "");
}
