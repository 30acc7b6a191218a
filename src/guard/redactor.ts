/**
 * Removes a request's secrets from texts of drivers and engines before they leave the service, in error bodies and logs.
 *
 * Drivers quote their input (a URL, a header, a whole object) in messages that cannot be foreseen. Searching for the secrets
 * themselves is the only protection that does not depend on foreseeing these messages. In the service's own messages only secrets
 * are replaced that cannot be a word of them: if a password were such a word, masking would garble the message and reveal the
 * password.
 */

import { isMessageWord } from "./message-words.ts";
import { BEGINNING, formsOf, HUGE, percentDecoded, SHORTEST } from "./secret-spellings.ts";

/** Values of switches; masking them would garble every message that contains the word. */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(["true", "false", "null", "none", "default"]);

/** A connection has few members; a request with more secrets gets no message instead of an expensive one. */
const MOST_SECRETS = 500;

/** Maximum number of user names: as written and decoded, from a member and from a URL. */
const MOST_USERS = 8;

/** Maximum size of all forms together: each secret has about forty, and a few more for each user. */
const MOST_CHARACTERS = 256 * 1024;

const MASK = "***";

/** Replaces a driver's text that contains a credential which is an ordinary word (`message-words.ts`). */
const WITHHELD = "The text is not shown: a word in it is also a secret of the connection.";

/** May be a word of the service's own messages, which quote no values. */
const LIKE_A_WORD = /^\p{L}{1,24}$/u;

/** The member under which `connectors/named.ts` lists host and user of a connection. */
const PLACES = "whereandwho";

/** Members whose value is only a credential. */
const PROOF = /pass|pwd|secret|token|pin|key|credential/i;

/**
 * Members of `connectionInfo` that name the server or user and contain no credential. All other members count as secrets, so that
 * a new member is hidden until it is added here.
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

/** The origin of a text. It matters only for secrets of the operator (`redactorOfOperator`). */
export interface TextSource {
  /** Statements that the text may quote, besides the texts of the request. */
  readonly statements: readonly string[];
  /** The text is a server's answer to a statement, and the server never had the secrets (`service/login-by-handshake.ts`). */
  readonly isWithoutSecrets: boolean;
}

export interface Redactor {
  /** `text` with `***` in place of every secret in every known form; or a sentence in place of the text. */
  redact(text: string, source?: TextSource): string;
  /**
   * `redact` for a text of the service that quotes a name of the caller: replaces only secrets that cannot be a word of the text.
   */
  redactName(text: string): string;
}

/** A copy of plain data of the service in which every text, at any depth, has passed `redactName`. */
export function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.redactName(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redactor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactDeep(item, redactor)]));
}

/** Redacts nothing, for requests without a connection. */
export const NO_SECRETS: Redactor = { redact: (text) => text, redactName: (text) => text };

/**
 * Takes `connectionInfo` as received: values of wrong types and unknown members are searched too. The work is done at the first
 * text to redact, which most requests do not have.
 */
export function redactorFor(connectionInfo: unknown): Redactor {
  return redactorBy(connectionInfo, undefined);
}

/**
 * Hides values of the operator's configuration from a caller who does not know them. If `***` replaced a text that the caller
 * chose, the caller would learn that a guess is right. So a secret that occurs in the request itself, in any spelling, is not
 * masked. In a text of a server that never had the secrets, only host and user are masked, because a statement can compute any
 * other text. `requestTexts` returns everything that the caller sent.
 */
export function redactorOfOperator(hidden: unknown, requestTexts: () => string): Redactor {
  return redactorBy(hidden, requestTexts);
}

/** Applies both in turn. */
export function redactorOfBoth(one: Redactor, other: Redactor): Redactor {
  return {
    redact: (text, source) => other.redact(one.redact(text, source), source),
    redactName: (text) => other.redactName(one.redactName(text)),
  };
}

function redactorBy(connectionInfo: unknown, requestTexts: (() => string) | undefined): Redactor {
  let known: readonly Secret[] | "too many" | undefined;
  let request: string | undefined;
  const hiddenFrom = (source: TextSource | undefined): readonly Secret[] | "too many" => {
    known ??= secretsToHide(connectionInfo);
    if (requestTexts === undefined || known === "too many") return known;
    request ??= requestTexts().toLowerCase();
    const texts = [request, ...(source?.statements ?? []).map((statement) => statement.toLowerCase())];
    const isEchoed = ({ forms }: Secret): boolean =>
      forms.some((form) => texts.some((text) => text.includes(form.toLowerCase())));
    return known.filter((secret) => (secret.isPlace || source?.isWithoutSecrets !== true) && !isEchoed(secret));
  };
  return {
    redact(text, source) {
      const secrets = hiddenFrom(source);
      if (secrets === "too many") return MASK;
      const words = secrets.flatMap(({ word }) => word ?? []);
      if (words.some((word) => holdsWord(text, word))) return WITHHELD;
      return masked(
        text,
        formsOfAll(secrets).filter((form) => !words.includes(form)),
      );
    },
    redactName(text) {
      const secrets = hiddenFrom(undefined);
      if (secrets === "too many") return MASK;
      const words = secrets.flatMap(({ word }) => word ?? []);
      return masked(
        text,
        formsOfAll(secrets).filter((form) => !LIKE_A_WORD.test(form) && !words.includes(form)),
      );
    },
  };
}

function masked(text: string, forms: readonly string[]): string {
  return forms.reduce((result, form) => result.replaceAll(form, MASK), text);
}

/** The longest first: masking a secret within another one must not leave the rest of the longer one visible. */
function formsOfAll(secrets: readonly Secret[]): readonly string[] {
  return [...new Set(secrets.flatMap(({ forms }) => forms))].sort((a, b) => b.length - a.length);
}

interface Secret {
  readonly forms: readonly string[];
  /** The secret itself, if it is a credential that may be a word of a sentence. */
  readonly word: string | undefined;
  /** Whether it is the host or the user of an operator's connection. */
  readonly isPlace: boolean;
}

function secretsToHide(connectionInfo: unknown): readonly Secret[] | "too many" {
  const found: Found = { secrets: new Set(), proofs: new Set(), users: new Set(), places: new Set() };
  collect(connectionInfo, "", found);
  const { secrets, proofs, users, places } = found;
  const all = new Set([...secrets, ...proofs, ...places]);
  if (all.size > MOST_SECRETS || users.size > MOST_USERS) return "too many";
  if (totalLength(all) * (1 + users.size) + totalLength(users) * all.size > MOST_CHARACTERS) return "too many";
  const hidden: Secret[] = [];
  for (const text of all) {
    if (text.length < SHORTEST) continue;
    const word = proofs.has(text) && isMessageWord(text) ? text : undefined;
    if (ORDINARY_WORDS.has(text.toLowerCase())) {
      if (word !== undefined) hidden.push({ forms: [], word, isPlace: false });
      continue;
    }
    for (const forms of formsOf(text, users)) hidden.push({ forms, word, isPlace: places.has(text) });
  }
  return hidden;
}

/** Whether `word` occurs in `text` as a whole word: `postgres` does not in `postgresql://`. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + word.length, at + word.length + 1)];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

function totalLength(texts: ReadonlySet<string>): number {
  let length = 0;
  // Beyond HUGE only the text itself and its beginning are masked.
  for (const text of texts) length += text.length > HUGE ? BEGINNING : text.length;
  return length;
}

interface Found {
  readonly secrets: Set<string>;
  /** Values of members that are credentials. */
  readonly proofs: Set<string>;
  readonly users: Set<string>;
  /** Hosts and users of the operator's connections. */
  readonly places: Set<string>;
}

/** Recursive without a separate limit: the JSON depth of the body is already limited. */
function collect(value: unknown, member: string, found: Found): void {
  const { secrets, proofs, users, places } = found;
  if (typeof value === "string") {
    const name = member.toLowerCase().replaceAll(/[_-]/g, "");
    if (name === "user" || name === "username") users.add(value);
    for (const user of usersInUrl(value)) users.add(user);
    for (const proof of secretsInUrl(value)) proofs.add(proof).add(percentDecoded(proof));
    if (name === PLACES) places.add(value);
    if (PUBLIC_MEMBERS.has(name) || name === PLACES) return;
    if (PROOF.test(member)) proofs.add(value).add(percentDecoded(value));
    secrets.add(value);
    for (const secret of secretsInText(value)) secrets.add(secret);
  } else if (typeof value === "number" || typeof value === "bigint") {
    if (PROOF.test(member)) proofs.add(String(value));
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, member, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      // Labels are for billing reports (BigQuery), such as the name of a team.
      if (key !== "labels") collect(item, key, found);
    }
  }
}

/** User names in a URL, as written and decoded, and in members of its query: drivers send both with the password. */
function usersInUrl(text: string): string[] {
  const [, user = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^:@/?#]*)(?::[^@]*)?@/is.exec(text.trim()) ?? [];
  const named = [...text.matchAll(/[?&](?:user|username)=([^&#]*)/gi)].map(([, name = ""]) => name);
  return [user, ...named].filter((name) => name !== "").flatMap((name) => [...new Set([name, percentDecoded(name)])]);
}

/** The user part and the query of a URL: `scheme://user:password@host/…?password=…`. Also of URLs that no parser accepts. */
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
  if (!/[^\x20-\x7e\s]/.test(decoded)) found.push(decoded);
  const nested: Found = { secrets: new Set(), proofs: new Set(), users: new Set(), places: new Set() };
  collect(parseJson(decoded), "", nested);
  return [...found, ...nested.secrets, ...nested.proofs];
}

function decodeBase64(text: string): string | undefined {
  const compact = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  // One search for a wrong character: a pattern over the whole text would remember megabytes of positions. `atob` reads the rest.
  if (compact.length < 16 || /[^A-Za-z0-9+/=]/.test(compact)) return undefined;
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
