/**
 * Text of a request header, whose bytes are UTF-8 (docs/decisions/0010-session-properties.md); `undefined` when they are not.
 *
 * By the Fetch standard each header byte is one UTF-16 code unit, and Node follows it; workerd returns decoded text (measured:
 * `é` arrives as U+00E9, an invalid byte as U+FFFD). Decoding twice would change the value, and testing the platform makes
 * workerd log a warning, so the entry file passes the platform's behaviour.
 */
export function headerText(raw: string, headersAre: "text" | "bytes"): string | undefined {
  const text = headersAre === "text" ? raw : decodeBytes(raw);
  return text === undefined || text.includes("\uFFFD") ? undefined : text;
}

function decodeBytes(raw: string): string | undefined {
  const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
