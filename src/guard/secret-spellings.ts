/** The known spellings in which drivers, servers and proxies write a secret. */

/** Shorter values occur in ordinary text: masking them would garble messages and hide nothing. */
export const SHORTEST = 4;

/** A truncated message may contain only the beginning of a long secret, so the beginning is also masked separately. */
const LONG = 64;
export const BEGINNING = 32;

/**
 * No message contains a longer text completely: masking its beginning is enough, and the forms of megabytes would not fit in
 * memory.
 */
export const HUGE = 16 * 1024;

/** The forms of a secret and, as a separate list, the forms of a long secret's beginning. */
export function formsOf(secret: string, users: ReadonlySet<string>): readonly (readonly string[])[] {
  if (secret.length <= LONG) return [spellings(secret, users)];
  const beginning = spellings(secret.slice(0, BEGINNING), users);
  return [secret.length > HUGE ? [secret] : spellings(secret, users), beginning];
}

function spellings(secret: string, users: ReadonlySet<string>): string[] {
  const forms: string[] = [];
  for (const text of new Set([secret, percentDecoded(secret)])) {
    forms.push(
      text,
      misread(text),
      text.normalize("NFC"),
      text.normalize("NFD"),
      text.replaceAll("'", "''"),
      ...jsonForms(text),
      ...percentForms(text),
      ...markupForms(text),
    );
    for (const bytes of bytesOf(text)) forms.push(...hexForms(bytes), ...base64Within(bytes));
    for (const pair of new Set([text, ...[...users].map((user) => `${user}:${text}`)])) {
      for (const bytes of bytesOf(pair)) forms.push(...base64Forms(bytes));
    }
  }
  return forms.filter((form) => form.length >= SHORTEST);
}

function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(/[\u0080-\uffff]/g, escapedUnit);
  const slashed = [json, ascii].map((form) => form.replaceAll("/", "\\/"));
  // Go and Gson escape HTML characters, with and without quotes.
  const unmarked = [/[&<>]/g, /[&<>=']/g].map((signs) => ascii.replaceAll(signs, escapedUnit));
  const upper = unmarked.map((form) =>
    form.replaceAll(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
  );
  // MySQL and Python write a text in single quotes.
  const quoted = [text, json].map((form) => form.replaceAll("'", "\\'"));
  const backslashed = text.replaceAll(/[\\'"]/g, (sign) => `\\${sign}`);
  return [json, JSON.stringify(json).slice(1, -1), ascii, ...slashed, ...unmarked, ...upper, ...quoted, backslashed];
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function percentForms(text: string): string[] {
  const percent = encodeURIComponent(text.toWellFormed());
  const strict = percent.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = percent.replaceAll("%20", "+");
  const ofBytes = bytesOf(text).map((bytes) => Array.from(bytes, percentByte).join(""));
  return [
    percent,
    percent.toLowerCase(),
    strict,
    form,
    encodeURI(text.toWellFormed()),
    encodeURIComponent(percent),
    ...ofBytes,
  ];
}

function percentByte(byte: number): string {
  const letter = String.fromCharCode(byte);
  return /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** UTF-8 bytes decoded as ISO 8859-1, which happens in headers. */
function misread(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function markupForms(text: string): string[] {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const marked = text.replaceAll(/[&<>"]/g, (sign) => names[sign] ?? sign);
  const numbered = text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return [
    marked,
    numbered,
    marked.replaceAll("'", "&#39;"),
    marked.replaceAll("'", "&#x27;"),
    marked.replaceAll("'", "&apos;"),
  ];
}

/** In UTF-8, and in ISO 8859-1 if it has all characters: Trino decodes passwords so. */
function bytesOf(text: string): Uint8Array[] {
  const utf8 = new TextEncoder().encode(text);
  const units = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const isLatin = utf8.length > units.length && units.every((unit) => unit <= 0xff);
  return isLatin ? [utf8, Uint8Array.from(units)] : [utf8];
}

function hexForms(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex, hex.toUpperCase()];
}

function base64Forms(bytes: Uint8Array): string[] {
  const standard = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const urlSafe = standard.replaceAll("+", "-").replaceAll("/", "_");
  return [standard, standard.replaceAll("=", ""), urlSafe, urlSafe.replaceAll("=", "")];
}

/** Shorter texts occur by chance. */
const SHORTEST_WITHIN = 10;

/** The base64 characters of the bytes within a longer text, for every alignment: a whole header, or a JSON document. */
function base64Within(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    // Characters that depend on neighbouring bytes are omitted.
    const from = Math.ceil((before * 4) / 3);
    const to = Math.floor((padded.length * 4) / 3);
    return base64Forms(padded)
      .map((form) => form.slice(from, to))
      .filter((form) => form.length >= SHORTEST_WITHIN && !form.includes("="));
  });
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
