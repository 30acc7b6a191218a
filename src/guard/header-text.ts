/**
 * Text of a request header, whose bytes are UTF-8 (decisions W14); `undefined` when they are not.
 *
 * The Fetch standard hands header bytes out one per UTF-16 unit, and Node does so; workerd hands out decoded text
 * (measured: `é` arrives as U+00E9, a wrong byte as U+FFFD). Decoding twice would turn a value into another one, and
 * asking the platform makes workerd write a warning, so whoever starts the service says which it is.
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
