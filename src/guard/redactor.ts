/**
 * Takes a request's secrets out of every text that leaves the service: error bodies and logs.
 *
 * Drivers quote what they were given (a URL, a header, a whole object) in messages that no one can foresee; knowing the
 * secrets themselves is the one protection that does not depend on foreseeing them.
 */

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

/** Each secret takes some thirty spellings, and again with each user: what they may come to before that. */
const MOST_CHARACTERS = 256 * 1024;

const MASK = "***";

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
  /** `text` with every secret, in every form it is known to travel in, replaced by `***`. */
  redact(text: string): string;
}

/** A copy of plain data in which every text, at any depth, has passed the redactor. */
export function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redactor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactDeep(item, redactor)]));
}

/** A redactor of nothing, for requests that carry no connection. */
export const NO_SECRETS: Redactor = { redact: (text) => text };

/**
 * `connectionInfo` as it came in, whatever it is: wrong types and unknown members are searched too. The work is done
 * when the first text has to be redacted, which most requests never see.
 */
export function redactorFor(connectionInfo: unknown): Redactor {
  let forms: readonly string[] | "too many" | undefined;
  return {
    redact(text) {
      forms ??= formsToHide(connectionInfo);
      if (forms === "too many") return MASK;
      return forms.reduce((result, form) => result.replaceAll(form, MASK), text);
    },
  };
}

/** The longest first: a secret inside another one must not leave the rest of the longer one standing. */
function formsToHide(connectionInfo: unknown): readonly string[] | "too many" {
  const secrets = new Set<string>();
  const users = new Set<string>();
  collect(connectionInfo, "", secrets, users);
  if (secrets.size > MOST_SECRETS || users.size > 4) return "too many";
  if (totalLength(secrets) * (1 + users.size) + totalLength(users) * secrets.size > MOST_CHARACTERS) return "too many";
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST || ORDINARY_WORDS.has(secret.toLowerCase())) continue;
    for (const form of formsOf(secret, users)) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

function totalLength(texts: ReadonlySet<string>): number {
  let length = 0;
  // Past HUGE only the text itself and its beginning are hidden.
  for (const text of texts) length += text.length > HUGE ? BEGINNING : text.length;
  return length;
}

/** Walks without recursion limits of its own: the body's JSON depth is bounded before anything gets here. */
function collect(value: unknown, member: string, secrets: Set<string>, users: Set<string>): void {
  if (typeof value === "string") {
    const name = member.toLowerCase().replaceAll(/[_-]/g, "");
    if (name === "user" || name === "username") users.add(value);
    for (const secret of secretsInUrl(value)) secrets.add(secret);
    if (PUBLIC_MEMBERS.has(name)) return;
    secrets.add(value);
    for (const secret of secretsInText(value)) secrets.add(secret);
  } else if (typeof value === "number" || typeof value === "bigint") {
    if (/pass|pwd|secret|token|pin|key/i.test(member)) secrets.add(String(value));
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, member, secrets, users);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      // Words like the name of a team, for whoever reads a bill (BigQuery).
      if (key !== "labels") collect(item, key, secrets, users);
    }
  }
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
  const nested = new Set<string>();
  collect(parseJson(decoded), "", nested, new Set());
  return [...found, ...nested];
}

function formsOf(secret: string, users: ReadonlySet<string>): string[] {
  if (secret.length > LONG) {
    const beginning = formsOf(secret.slice(0, BEGINNING), users);
    return secret.length > HUGE ? [secret, ...beginning] : [...spellings(secret, users), ...beginning];
  }
  return spellings(secret, users);
}

function spellings(secret: string, users: ReadonlySet<string>): string[] {
  const forms: string[] = [];
  for (const text of new Set([secret, percentDecoded(secret)])) {
    const json = JSON.stringify(text).slice(1, -1);
    const percent = encodeURIComponent(text.toWellFormed());
    forms.push(text, json, JSON.stringify(json).slice(1, -1), percent, encodeURI(text.toWellFormed()));
    forms.push(percent.replaceAll("%20", "+"), percent.toLowerCase(), text.replaceAll("'", "''"));
    forms.push(percent.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`));
    forms.push(...base64Forms(text));
    for (const user of users) forms.push(...base64Forms(`${user}:${text}`));
  }
  return forms;
}

function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const standard = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const urlSafe = standard.replaceAll("+", "-").replaceAll("/", "_");
  return [standard, standard.replaceAll("=", ""), urlSafe, urlSafe.replaceAll("=", "")];
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
