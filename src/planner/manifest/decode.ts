/** `manifestStr` to JSON: base64, UTF-8, JSON. Each kind of failure has its own reason. */
import { PlannerError } from "../diagnostics.ts";
import { duplicateIn, membersOf } from "./duplicates.ts";
import { decodeUtf8 } from "./utf8.ts";

/** All that the planner takes from its platform: every one has it, and none in ECMAScript is nearly as fast. */
declare const atob: (base64: string) => string;

/** Bytes, as the characters of a text, of base64 in either alphabet; padding is optional, white space ignored. */
function decodeBase64(text: string, maxBytes: number): string {
  if ((text.length / 4) * 3 > maxBytes * 1.4 + 16) throw tooLarge(maxBytes);
  let bytes: string;
  try {
    bytes = atob(/[-_]/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text);
  } catch {
    throw invalidBase64(text);
  }
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** Existing clients know the words and the offset (docs/spec/contract.md#outcomes). */
function invalidBase64(text: string): PlannerError {
  const offset = text.search(/[^A-Za-z0-9+/\-_=\s]|[^=\s](?<==\s*.)/s);
  if (offset >= 0) {
    return new PlannerError(
      "MANIFEST_BASE64",
      `Base64 decode error: Invalid symbol ${text.charCodeAt(offset)}, offset ${offset}.`,
      { hint: "manifestStr is the base64 encoding of the manifest's JSON text." },
    );
  }
  return new PlannerError("MANIFEST_BASE64", "Base64 decode error: Invalid padding", {
    hint: "The text is cut off: its length is not that of any base64 text.",
  });
}

function tooLarge(maxBytes: number): PlannerError {
  return new PlannerError("LIMIT_SIZE", `the manifest is larger than ${maxBytes} bytes`, {
    hint: "Send only the models that the query needs, or raise MAX_MANIFEST_BYTES and MAX_BODY_BYTES.",
  });
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Highest number of open brackets and braces (docs/decisions/0033-limits.md). */
const MAX_DEPTH = 64;

/** Told before the text is read: its readers recurse. Returns how many members the text has. */
function checkNesting(text: string): number {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case 0x3a:
        members++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) {
          throw new PlannerError("MANIFEST_JSON", `Serde JSON error: nested deeper than ${MAX_DEPTH} levels`);
        }
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return members;
}

/** The offset of the quote that ends the string which begins at `start`; the end of the text for one without. */
function endOfString(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

export function decodeManifestText(base64: string, maxBytes: number): unknown {
  const bytes = decodeBase64(base64, maxBytes);
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    throw new PlannerError("MANIFEST_BASE64", "FromUtf8Error: the decoded manifest is not UTF-8 text");
  }
  return parsed(text);
}

/** JSON text instead of base64. A text of more UTF-16 units than bytes are allowed is too long in any case. */
export function parseManifestText(text: string, maxBytes: number): unknown {
  if (text.length > maxBytes) throw tooLarge(maxBytes);
  return parsed(text);
}

function parsed(text: string): unknown {
  const written = checkNesting(text);
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    // Existing clients know these words (docs/spec/contract.md#outcomes). The text quotes the input around the fault; a manifest is
    // the caller's own, so it may be shown.
    throw new PlannerError("MANIFEST_JSON", `Serde JSON error: ${error instanceof Error ? error.message : "invalid"}`);
  }
  if (membersOf(manifest) < written) refuseDuplicates(text);
  return manifest;
}

/** Existing clients know the words of the message. */
function refuseDuplicates(text: string): void {
  const name = duplicateIn(text, endOfString);
  if (name === undefined) return;
  throw new PlannerError(
    "MANIFEST_JSON",
    `Serde JSON error: duplicate field \`${name.slice(0, 100).toWellFormed()}\``,
    {
      hint: "Name each member of an object once: of two, one would be lost.",
    },
  );
}
