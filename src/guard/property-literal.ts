/** Converts values of the operator and of claims to SQL literals, the form of session properties. */
import type { PropertyValue } from "../config/callers.ts";

/** `undefined` for a value that no literal represents exactly. */
export function literalOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return textLiteral(value);
    case "boolean":
      return value ? "TRUE" : "FALSE";
    case "number":
      return numberLiteral(value);
    default:
      return undefined;
  }
}

/** `SESSION_PROPERTIES`. Throws for a value that no literal represents. */
export function operatorProperties(values: Readonly<Record<string, PropertyValue>>): ReadonlyMap<string, string> {
  const entries = Object.entries(values).map(([name, value]) => {
    const literal = literalOf(value);
    if (literal === undefined) throw new Error(`SESSION_PROPERTIES: ${name} is a value that SQL cannot say`);
    return [name, literal] as const;
  });
  return new Map(entries);
}

/** For `x IN @property`. An empty list is undefined: no condition can be written with it. */
export function listLiteralOf(values: readonly unknown[]): string | undefined {
  const texts = values.map((value) => (typeof value === "string" ? textLiteral(value) : undefined));
  return texts.length === 0 || texts.includes(undefined) ? undefined : `ARRAY[${texts.join(", ")}]`;
}

/** The only escape in text literals of the input language is the doubled quote. No source accepts NUL or lone surrogates. */
function textLiteral(value: string): string | undefined {
  return value.includes("\0") || !value.isWellFormed() ? undefined : `'${value.replaceAll("'", "''")}'`;
}

/** JSON is already parsed: an integer beyond 2^53 may differ from the signed one. */
function numberLiteral(value: number): string | undefined {
  const text = String(value);
  if (!/^-?\d+(\.\d+)?$/.test(text) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return text;
}
