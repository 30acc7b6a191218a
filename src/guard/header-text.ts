/**
 * Text of a request header, whose bytes are UTF-8 (decisions W14).
 *
 * The Fetch standard hands header bytes out one per UTF-16 unit, and Node does so; workerd hands out decoded text
 * (measured: `é` arrives as U+00E9, an invalid byte as U+FFFD). Decoding twice would turn a value into another one,
 * so the platform is asked which it is: only a platform of decoded text takes a character that no byte can hold.
 */
export function headerText(raw: string, decoded: boolean = platformDecodesHeaders()): string | undefined {
  const text = decoded ? raw : decodeBytes(raw);
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

function platformDecodesHeaders(): boolean {
  try {
    new Headers({ probe: "\u4E2D" });
    return true;
  } catch {
    return false;
  }
}
