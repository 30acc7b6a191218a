/**
 * Parses connection URLs. The platform's URL parser rejects passwords with raw brackets, decodes nothing and drops characters
 * silently; drivers differ in the parts that they decode (docs/spec/contract.md#connections).
 */
import { invalidConnection } from "./connection.ts";

export interface ConnectionUrl {
  /** In lower case, without `://`. */
  readonly scheme: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The text in the URL, brackets included; may be empty. */
  readonly host: string;
  readonly port: string | undefined;
  /** Without the leading slash; segments are decoded and joined by `/`. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

/** `name=value`; the value is empty if the equals sign is missing. */
export function nameAndValue(pair: string): readonly [name: string, value: string] {
  const equals = pair.indexOf("=");
  return equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** Maximum number of options, because each is compared with the known ones. */
const MOST_OPTIONS = 1000;

/**
 * `scheme://user:password@host:port/path?name=value&…`. User, password, path and query are percent-decoded once; `+` is a plus
 * sign. Raw `[ ] : @ ? #` in the password are accepted if the password contains no `/` and the URL has no other interpretation.
 * Throws `INVALID_CONNECTION`.
 */
export function parseConnectionUrl(text: string, member: string): ConnectionUrl {
  const fail = (problem: string, hint?: string) => invalidConnection(member, problem, hint);
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined) throw fail("is no URL of the form scheme://user:password@host:port/database");

  const slash = rest.indexOf("/");
  const beforePath = slash < 0 ? rest : rest.slice(0, slash);
  const at = beforePath.lastIndexOf("@");
  // `u:p@host?x=a@b` and the password `p@host?x=a` look the same, and a guess could send it to the wrong host.
  if (/\?[a-z_]+=/i.test(beforePath.slice(beforePath.indexOf("@") + 1, Math.max(at, 0))))
    throw fail("has a raw @ where it could end the password", "Write it as %40.");
  if (at < 0 && /^[^?]*@/.test(rest)) throw fail("has a / in its user or password", "Write it as %2F.");
  const credentials = at < 0 ? undefined : beforePath.slice(0, at);
  const afterCredentials = rest.slice(at + 1);
  const question = afterCredentials.indexOf("?");
  const location = question < 0 ? afterCredentials : afterCredentials.slice(0, question);
  const [authority = "", ...segments] = location.split("/");

  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  const decode = (encoded: string, what: string): string => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      throw fail(`its ${what} is not percent-encoded correctly`, "Write a literal % as %25.");
    }
  };
  const colon = credentials?.indexOf(":") ?? -1;
  const user = credentials === undefined || colon < 0 ? credentials : credentials.slice(0, colon);
  const password = credentials === undefined || colon < 0 ? undefined : credentials.slice(colon + 1);
  const query = new Map<string, string>();
  for (const pair of question < 0 ? [] : afterCredentials.slice(question + 1).split("&")) {
    if (pair === "") continue;
    const [name, value] = nameAndValue(pair);
    const [option, text] = [decode(name, "query"), decode(value, "query")];
    // Which one counts depends on the driver, and one of them may be about TLS.
    if ((query.get(option) ?? text) !== text)
      throw fail("gives one of its options twice, with different values", "Give it once.");
    query.set(option, text);
    if (query.size > MOST_OPTIONS) throw fail(`has more than ${MOST_OPTIONS} options`);
  }
  return {
    scheme: scheme.toLowerCase(),
    user: user === undefined ? undefined : decode(user, "user"),
    password: password === undefined ? undefined : decode(password, "password"),
    host,
    port: port === "" ? undefined : port,
    path: segments.map((segment) => decode(segment, "database")).join("/"),
    query,
  };
}
