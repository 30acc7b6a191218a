/** Parses JSON whose integers may exceed the exact range of a binary64. */

/** Integers of this length may exceed 2^53. */
const LONG_INTEGER = /[:,[\s]-?\d{16}/;

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Like `JSON.parse`, but an integer that a number cannot hold exactly becomes a `bigint`. Throws `SyntaxError`. */
export function parseExactJson(text: string): unknown {
  // A reviver takes several times as long, and most texts need none.
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "")
      ? BigInt(source ?? "")
      : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, revive);
}
