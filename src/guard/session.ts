/**
 * Which session properties hold (decisions W14): signed claim > operator's configuration > body > header.
 *
 * Row and column rules of the manifest read these values, so a caller may add to what its credentials say but never
 * contradict it: naming a claim-bound property is refused, even with the same value, and even where the claim is absent:
 * who lacks a tenant does not get to choose one.
 */

/** Names in lower case, values as SQL literal text. */
type SessionProperties = ReadonlyMap<string, string>;

export interface SessionSources {
  readonly claims: SessionProperties;
  /** Names that belong to claims, whether or not this caller has them. */
  readonly bound: ReadonlySet<string>;
  readonly operator: SessionProperties;
  readonly body: SessionProperties;
  readonly header: SessionProperties;
}

export type SessionResolution =
  | { readonly ok: true; readonly session: SessionProperties }
  /** `bound`: the claim-bound names that the caller tried to set. */
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
