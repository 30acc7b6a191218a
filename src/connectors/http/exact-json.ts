/** JSON whose integers may be larger than a binary64 holds exactly. */

/** Longer ones may be beyond 2^53. */
const LONG_INTEGER = /[:,[\s]-?\d{16}/;

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** As `JSON.parse`, but an integer that a number cannot hold exactly is a `bigint`. Throws `SyntaxError`. */
export function parseExactJson(text: string): unknown {
  // A reviver takes several times as long, and most answers have nothing for it.
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "")
      ? BigInt(source ?? "")
      : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, revive);
}
