/** `manifestStr` to JSON: base64, UTF-8, JSON, each failure with a reason of its own. */
import { PlannerError } from "../diagnostics.ts";
import { decodeUtf8 } from "./utf8.ts";

const INVALID = 255;

/** 6-bit value per character code; both alphabets, `-` and `_` of the URL-safe one included. */
const SEXTETS: Uint8Array = (() => {
  const table = new Uint8Array(128).fill(INVALID);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let i = 0; i < 64; i++) table[alphabet.charCodeAt(i)] = i;
  table["-".charCodeAt(0)] = 62;
  table["_".charCodeAt(0)] = 63;
  return table;
})();

/** Decodes base64 text (padding optional, white space ignored) of at most `maxBytes` bytes. */
function decodeBase64(text: string, maxBytes: number): Uint8Array {
  if ((text.length / 4) * 3 > maxBytes * 1.4 + 16) throw tooLarge(maxBytes);
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let buffer = 0;
  let bits = 0;
  let padding = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 32 || code === 10 || code === 13 || code === 9) continue;
    if (code === 61) {
      padding++;
      continue;
    }
    const sextet = code < 128 ? (SEXTETS[code] ?? INVALID) : INVALID;
    if (sextet === INVALID || padding > 0) {
      throw new PlannerError("MANIFEST_BASE64", `Base64 decode error: Invalid symbol ${code}, offset ${i}.`, {
        hint: "manifestStr is the base64 encoding of the manifest's JSON text.",
      });
    }
    buffer = ((buffer << 6) | sextet) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = (buffer >> bits) & 0xff;
    }
  }
  if (bits >= 6 || padding > 2) {
    throw new PlannerError("MANIFEST_BASE64", "Base64 decode error: Invalid padding", {
      hint: "The text is cut off: its length is not that of any base64 text.",
    });
  }
  if (length > maxBytes) throw tooLarge(maxBytes);
  return bytes.subarray(0, length);
}

function tooLarge(maxBytes: number): PlannerError {
  return new PlannerError("LIMIT_SIZE", `the manifest is larger than ${maxBytes} bytes`, {
    hint: "Send only the models that the query needs, or raise MAX_MANIFEST_BYTES.",
  });
}

/** Nesting is checked before `JSON.parse`, whose recursion a hostile text could exhaust. */
function checkNesting(text: string, maxDepth: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > maxDepth) {
        throw new PlannerError("MANIFEST_JSON", `Serde JSON error: nested deeper than ${maxDepth} levels`);
      }
    } else if (code === 125 || code === 93) depth--;
  }
}

const MAX_MANIFEST_DEPTH = 64;

export function decodeManifestText(base64: string, maxBytes: number): unknown {
  const bytes = decodeBase64(base64, maxBytes);
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    throw new PlannerError("MANIFEST_BASE64", "FromUtf8Error: the decoded manifest is not UTF-8 text");
  }
  checkNesting(text, MAX_MANIFEST_DEPTH);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // Existing clients know these words (contract §5.4). The text quotes the input around the fault; a manifest is the caller's own, so it may be shown.
    throw new PlannerError("MANIFEST_JSON", `Serde JSON error: ${error instanceof Error ? error.message : "invalid"}`);
  }
}
