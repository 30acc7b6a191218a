/**
 * Precedence of session properties (docs/decisions/0010-session-properties.md): signed claim > operator's configuration > body >
 * header.
 *
 * Row and column rules of the manifest read these values, so a caller may add to its credentials but never contradict them. A
 * request that names a claim-bound property is refused, even with the same value, and even if the caller lacks the claim: a
 * caller without a tenant must not choose one.
 */

/** Names in lower case, values as SQL literal text. */
type SessionProperties = ReadonlyMap<string, string>;

export interface SessionSources {
  readonly claims: SessionProperties;
  /** Names that claims set, even if this caller lacks the claims. */
  readonly bound: ReadonlySet<string>;
  readonly operator: SessionProperties;
  readonly body: SessionProperties;
  readonly header: SessionProperties;
}

export type SessionResolution =
  | { readonly ok: true; readonly session: SessionProperties }
  /** `bound`: the claim-bound names that the request tried to set. */
  | { readonly ok: false; readonly bound: readonly string[] };

export function resolveSession(sources: SessionSources): SessionResolution {
  const named = new Set([...sources.body.keys(), ...sources.header.keys()]);
  const bound = [...named].filter((name) => sources.bound.has(name));
  if (bound.length > 0) return { ok: false, bound };
  return {
    ok: true,
    session: new Map([...sources.header, ...sources.body, ...sources.operator, ...sources.claims]),
  };
}
