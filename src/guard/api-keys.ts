/**
 * `AUTH=keys`: authenticates callers by keys whose digests the operator has listed
 * (docs/decisions/0031-authentication-is-chosen.md).
 */
import type { ApiKey, CallerLimits } from "../config/callers.ts";
import { type Authentication, type Caller, refused } from "./caller.ts";
import { credentialOf } from "./credentials.ts";
import { literalOf } from "./property-literal.ts";

interface Listed {
  readonly digest: Uint8Array;
  readonly expires: number;
  readonly caller: Caller;
}

/** Defaults for keys without settings of their own. */
export interface KeyStandards {
  readonly limits: CallerLimits;
  readonly ownConnections: boolean;
}

/** Throws for a property whose value cannot be written as a literal. */
export function keyAuthenticator(
  keys: Readonly<Record<string, ApiKey>>,
  standards: KeyStandards,
  now: () => number,
): (request: Request) => Promise<Authentication> {
  const listed: readonly Listed[] = Object.entries(keys).flatMap(([id, key]) => {
    const caller = callerOf(id, key, standards);
    return key.digests.map(({ sha256, expires }) => ({
      digest: Uint8Array.from(sha256.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
      expires: expires ?? Number.POSITIVE_INFINITY,
      caller,
    }));
  });
  return async ({ headers }) => {
    const credential = credentialOf(headers, "X-API-Key");
    if (!credential.ok) return credential;
    const given = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(credential.text)));
    const found = listed[indexOf(given, listed)];
    if (found === undefined) return refused("CREDENTIALS_INVALID", "The key is not known.");
    if (found.expires <= now()) return refused("CREDENTIALS_EXPIRED", "The key has expired.", "Ask for a new one.");
    return { ok: true, caller: found.caller };
  };
}

/** Compares every byte of every digest, so that the duration does not reveal which key is similar. */
function indexOf(given: Uint8Array, listed: readonly Listed[]): number {
  let found = -1;
  for (const [index, { digest }] of listed.entries()) {
    let difference = 0;
    for (let at = 0; at < 32; at++) difference |= (given[at] ?? 0) ^ (digest[at] ?? 0);
    const equal = (difference - 1) >> 31;
    found = (found & ~equal) | (index & equal);
  }
  return found;
}

function callerOf(id: string, key: ApiKey, standards: KeyStandards): Caller {
  const claims = new Map(
    Object.entries(key.properties).map(([name, value]) => {
      const literal = literalOf(value);
      if (literal === undefined) throw new Error(`API_KEYS: ${id}.properties.${name} is a value that SQL cannot say`);
      return [name, literal] as const;
    }),
  );
  return {
    id,
    claims,
    bound: new Set(claims.keys()),
    connections: key.connections.includes("*") ? "all" : new Set(key.connections),
    ownConnections: key.ownConnections ?? standards.ownConnections,
    limits: { ...standards.limits, ...key.limits },
    projects: key.projects.includes("*") ? "all" : new Set(key.projects),
    viewAs: key.viewAs,
    operates: key.operator,
  };
}
