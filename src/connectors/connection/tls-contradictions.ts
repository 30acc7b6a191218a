/**
 * TLS options that are given more than once: in a URL, in `kwargs` and as members. If one took the place of another without a word,
 * the connection could be less safe than the caller requested.
 */
import { plainLetters } from "../../planner/suggest.ts";
import { invalidConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";

/** Names of the same option. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["sslrootcert", "sslca"],
  ["sslcafile", "sslca"],
]);

/** Values that all options of TLS understand in the same way. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ...["1", "yes", "on"].map((word) => [word, "true"] as const),
  ...["0", "no", "off"].map((word) => [word, "false"] as const),
]);

/** Throws INVALID_CONNECTION where the same option of TLS has two values. `raw` is `connectionInfo`, its URL in `connectionUrl`. */
export function checkTlsContradictions(
  raw: Readonly<Record<string, unknown>>,
  namesTls: (name: string) => boolean,
): void {
  const { connectionUrl, kwargs, ...members } = raw;
  const given: (readonly [member: string, name: string, value: unknown])[] = [
    ...queryOf(connectionUrl).map(([name, value]) => ["connectionUrl", name, value] as const),
    ...Object.entries(kwargs ?? {}).map(([name, value]) => ["kwargs", name, value] as const),
    ...Object.entries(members).map(([name, value]) => [name, name, value] as const),
  ];
  const before = new Map<string, readonly [member: string, value: string]>();
  for (const [member, name, value] of given) {
    if (value === undefined || value === null || typeof value === "object" || value === "" || !namesTls(name)) continue;
    const letters = plainLetters(name);
    const option = SYNONYMS.get(letters) ?? letters;
    const text = String(value).trim().toLowerCase();
    const meant = VALUES.get(text) ?? text.replaceAll(/[-_ ]/g, "");
    const [otherMember, other] = before.get(option) ?? [];
    if (otherMember !== undefined && other !== meant) {
      // A URL that was split in the wrong place may contain parts of a password.
      const isNameLike = /^[a-z][a-z_-]{0,62}$/i.test(name);
      const described = name === member ? "it" : isNameLike ? `the option ${name}` : "one of its options";
      throw invalidConnection(
        member,
        otherMember === member ? `${described} has two values` : `${described} has another value in ${otherMember}`,
        "Give it once.",
      );
    }
    before.set(option, [member, meant]);
  }
}

function queryOf(url: unknown): readonly (readonly [name: string, value: string])[] {
  return typeof url === "string" ? [...parseConnectionUrl(url, "connectionUrl").query] : [];
}
