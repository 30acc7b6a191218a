/**
 * Takes a request's secrets out of the texts of drivers and engines before they leave the service: error bodies and logs.
 *
 * Drivers quote what they were given (a URL, a header, a whole object) in messages that no one can foresee; knowing the
 * secrets themselves is the one protection that does not depend on foreseeing them. In our own sentences only what can be no
 * word of theirs is looked for: a password that is a word would garble them, and the mask would tell it.
 */

import { isMessageWord } from "./message-words.ts";

/** Shorter values occur in ordinary text: hiding them would garble messages and hide nothing. */
const SHORTEST = 4;

/** Values of switches; hiding them would garble every message that holds the word. */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(["true", "false", "null", "none", "default"]);

/** A message that is cut off still shows the beginning of a long secret, so that much is hidden by itself. */
const LONG = 64;
const BEGINNING = 32;

/** Past this no message holds the whole; the beginning is enough, and the forms of megabytes would not fit in memory. */
const HUGE = 16 * 1024;

/** A connection has a handful of members; a request with this many gets no message at all rather than an expensive one. */
const MOST_SECRETS = 500;

/** As written and decoded, by a member and by a URL. */
const MOST_USERS = 8;

/** Each secret takes some forty spellings, and a few more with each user: what they may come to before that. */
const MOST_CHARACTERS = 256 * 1024;

const MASK = "***";

/** A text of a driver that holds a proof which is an ordinary word (`message-words.ts`) is not shown at all. */
const WITHHELD = "The text is not shown: a word in it is also a secret of the connection.";

/** May be a word of our own sentences, which quote no values. */
const LIKE_A_WORD = /^\p{L}{1,24}$/u;

/** Members whose value is a proof and nothing else. */
const PROOF = /pass|pwd|secret|token|pin|key|credential/i;

/**
 * Members of `connectionInfo` that say where and as whom, not with what proof. Everything else counts as a secret, so
 * that a new member is hidden until someone lists it here.
 */
const PUBLIC_MEMBERS: ReadonlySet<string> = new Set([
  "host",
  "port",
  "database",
  "user",
  "username",
  "schema",
  "schemaname",
  "catalog",
  "workspace",
  "account",
  "warehouse",
  "role",
  "driver",
  "tdsversion",
  "format",
  "url",
  "bucket",
  "endpoint",
  "region",
  "location",
  "regionname",
  "projectid",
  "billingprojectid",
  "datasetid",
  "bigquerytype",
  "redshifttype",
  "databrickstype",
  "serverhostname",
  "httppath",
  "clusteridentifier",
  "s3stagingdir",
  "sslmode",
  "rolearn",
  "rolesessionname",
  "applicationname",
  "type",
  "authuri",
  "tokenuri",
  "clientemail",
  "universedomain",
]);

export interface Redactor {
  /** `text` with every secret, in every form it is known to travel in, replaced by `***`; or a sentence in its place. */
  redact(text: string): string;
  /** The same of a text of ours that quotes a name which the caller chose: only what can be no word of the text is replaced. */
  redactName(text: string): string;
}

/** A copy of plain data of ours in which every text, at any depth, has passed `redactName`. */
export function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.redactName(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redactor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactDeep(item, redactor)]));
}

/** A redactor of nothing, for requests that carry no connection. */
export const NO_SECRETS: Redactor = { redact: (text) => text, redactName: (text) => text };

/**
 * `connectionInfo` as it came in, whatever it is: wrong types and unknown members are searched too. The work is done
 * when the first text has to be redacted, which most requests never see.
 */
export function redactorFor(connectionInfo: unknown): Redactor {
  let known: Forms | "too many" | undefined;
  const formsOnce = (): Forms | "too many" => {
    known ??= formsToHide(connectionInfo);
    return known;
  };
  const masked = (text: string, forms: readonly string[]): string =>
    forms.reduce((result, form) => result.replaceAll(form, MASK), text);
  return {
    redact(text) {
      const forms = formsOnce();
      if (forms === "too many") return MASK;
      if (forms.words.some((word) => holdsWord(text, word))) return WITHHELD;
      return masked(text, forms.masked);
    },
    redactName(text) {
      const forms = formsOnce();
      return forms === "too many"
        ? MASK
        : masked(
            text,
            forms.masked.filter((form) => !LIKE_A_WORD.test(form)),
          );
    },
  };
}

interface Forms {
  /** The longest first: a secret inside another one must not leave the rest of the longer one standing. */
  readonly masked: readonly string[];
  /** Proofs that may be words of a sentence. */
  readonly words: readonly string[];
}

function formsToHide(connectionInfo: unknown): Forms | "too many" {
  const found: Found = { secrets: new Set(), proofs: new Set(), users: new Set() };
  collect(connectionInfo, "", found);
  const { secrets, proofs, users } = found;
  for (const proof of proofs) secrets.add(proof);
  if (secrets.size > MOST_SECRETS || users.size > MOST_USERS) return "too many";
  if (totalLength(secrets) * (1 + users.size) + totalLength(users) * secrets.size > MOST_CHARACTERS) return "too many";
  const words = [...proofs].filter((proof) => proof.length >= SHORTEST && isMessageWord(proof));
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST || ORDINARY_WORDS.has(secret.toLowerCase())) continue;
    for (const form of formsOf(secret, users)) if (!words.includes(form)) forms.add(form);
  }
  return { masked: [...forms].sort((a, b) => b.length - a.length), words };
}

/** Whether `word` stands in `text` by itself: `postgres` is none of `postgresql://`. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + word.length, at + word.length + 1)];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

function totalLength(texts: ReadonlySet<string>): number {
  let length = 0;
  // Past HUGE only the text itself and its beginning are hidden.
  for (const text of texts) length += text.length > HUGE ? BEGINNING : text.length;
  return length;
}

interface Found {
  readonly secrets: Set<string>;
  /** Values of members that prove who asks. */
  readonly proofs: Set<string>;
  readonly users: Set<string>;
}

/** Walks without recursion limits of its own: the body's JSON depth is bounded before anything gets here. */
function collect(value: unknown, member: string, found: Found): void {
  const { secrets, proofs, users } = found;
  if (typeof value === "string") {
    const name = member.toLowerCase().replaceAll(/[_-]/g, "");
    if (name === "user" || name === "username") users.add(value);
    for (const user of usersInUrl(value)) users.add(user);
    for (const proof of secretsInUrl(value)) proofs.add(proof).add(percentDecoded(proof));
    if (PUBLIC_MEMBERS.has(name)) return;
    if (PROOF.test(member)) proofs.add(value).add(percentDecoded(value));
    secrets.add(value);
    for (const secret of secretsInText(value)) secrets.add(secret);
  } else if (typeof value === "number" || typeof value === "bigint") {
    if (PROOF.test(member)) proofs.add(String(value));
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, member, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      // Words like the name of a team, for whoever reads a bill (BigQuery).
      if (key !== "labels") collect(item, key, found);
    }
  }
}

/** Who a URL logs in as, written and decoded, and by what members of its query: drivers send both with the password. */
function usersInUrl(text: string): string[] {
  const [, user = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^:@/?#]*)(?::[^@]*)?@/is.exec(text.trim()) ?? [];
  const named = [...text.matchAll(/[?&](?:user|username)=([^&#]*)/gi)].map(([, name = ""]) => name);
  return [user, ...named].filter((name) => name !== "").flatMap((name) => [...new Set([name, percentDecoded(name)])]);
}

/** The user part and the query of a URL: `scheme://user:password@host/…?password=…`. Also of URLs no parser takes. */
function secretsInUrl(text: string): string[] {
  const found: string[] = [];
  const credentials = /^[a-z][a-z0-9+.-]*:\/\/(.*)@/is.exec(text.trim())?.[1];
  if (credentials !== undefined) {
    const colon = credentials.indexOf(":");
    if (colon >= 0) found.push(credentials.slice(colon + 1));
  }
  const query = text.includes("://") ? text.split("?").slice(1).join("?") : "";
  for (const pair of query.split("&")) {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (/pass|pwd|secret|token|key|pat|credential/i.test(name)) found.push(value);
  }
  return found;
}

/** Parts of a compound secret that are secrets themselves: lines of a PEM, members of a base64 credential file, `k=v` lists. */
function secretsInText(text: string): string[] {
  const found: string[] = [];
  if (/[\r\n]/.test(text))
    found.push(...text.split(/[\r\n]+/).filter((line) => line.length >= 16 && !line.startsWith("-----")));
  for (const match of text.matchAll(/(?:password|passwd|pwd|secret|token|key)\s*=\s*([^\s;&]+)/gi))
    found.push(match[1] ?? "");
  const decoded = decodeBase64(text);
  if (decoded === undefined) return found;
  if (/^[\x20-\x7e\s]+$/.test(decoded)) found.push(decoded);
  const nested: Found = { secrets: new Set(), proofs: new Set(), users: new Set() };
  collect(parseJson(decoded), "", nested);
  return [...found, ...nested.secrets, ...nested.proofs];
}

function formsOf(secret: string, users: ReadonlySet<string>): string[] {
  if (secret.length > LONG) {
    const beginning = formsOf(secret.slice(0, BEGINNING), users);
    return secret.length > HUGE ? [secret, ...beginning] : [...spellings(secret, users), ...beginning];
  }
  return spellings(secret, users);
}

/** The forms that drivers, servers and proxies are known to write a secret in. */
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
  // As Go and Gson write signs that HTML knows, with and without those of quotes.
  const unmarked = [/[&<>]/g, /[&<>=']/g].map((signs) => ascii.replaceAll(signs, escapedUnit));
  const upper = unmarked.map((form) =>
    form.replaceAll(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
  );
  // As MySQL and Python write a text in single quotes.
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

/** UTF-8 that a reader took for ISO 8859-1, as headers are read. */
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

/** In UTF-8, and in ISO 8859-1 where it has all characters: Trino takes passwords so. */
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

/** Fewer letters occur by chance. */
const SHORTEST_WITHIN = 10;

/** What base64 of a longer text holds of the bytes, wherever they begin in it: a whole header, or a JSON document. */
function base64Within(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    // Letters that bytes before or behind share are left out.
    const from = Math.ceil((before * 4) / 3);
    const to = Math.floor((padded.length * 4) / 3);
    return base64Forms(padded)
      .map((form) => form.slice(from, to))
      .filter((form) => form.length >= SHORTEST_WITHIN && !form.includes("="));
  });
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeBase64(text: string): string | undefined {
  const compact = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (compact.length < 16 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return undefined;
  try {
    return atob(compact);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
