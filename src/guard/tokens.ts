/**
 * `AUTH=jwt`: authenticates callers by signed tokens (docs/decisions/0031-authentication-is-chosen.md). Loaded with
 * the first token.
 */
import type { JSONWebKeySet } from "jose";
import { JOSEError, JWKSNoMatchingKey } from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import type { CallerLimits, ClaimProperty } from "../config/callers.ts";
import { type Authentication, refused } from "./caller.ts";
import { type Claims, connectionsOf, ownConnectionsOf, propertiesOf, scopesOf, subjectOf } from "./claims.ts";
import {
  type Defer,
  type FetchedKeysOptions,
  fetchedKeys,
  givenKeys,
  type KeyLookup,
  type TokenKeys,
} from "./token-keys.ts";

export interface TokenRules {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly clockSkewSeconds: number;
  readonly subjectClaims: readonly string[];
  readonly properties: Readonly<Record<string, ClaimProperty>>;
  readonly connections: readonly string[];
  readonly connectionsClaim: string | undefined;
  /** Applies if the claim is absent. */
  readonly ownConnections: boolean;
  readonly ownConnectionsClaim: string | undefined;
  readonly limits: CallerLimits;
  readonly projects: readonly string[];
  readonly projectsClaim: string | undefined;
  /** Tokens of the issuer have scopes; those of Cloudflare Access have none. */
  readonly hasScopes: boolean;
}

/** `audience` is accepted besides those of the rules. */
type TokenReader = (token: string, defer?: Defer, audience?: string) => Promise<Authentication>;

/** Creates a reader of tokens with given keys, or with keys that the issuer publishes. */
export function tokenReader(
  source: JSONWebKeySet | FetchedKeysOptions,
  rules: TokenRules,
  now: () => number,
): TokenReader {
  const keys = "keys" in source ? givenKeys(source) : fetchedKeys(source);
  return (token, defer, audience) => {
    const asked = audience === undefined ? rules : { ...rules, audience: [...rules.audience, audience] };
    return callerOfToken(token, keys, asked, now, defer);
  };
}

async function callerOfToken(
  token: string,
  keys: TokenKeys,
  rules: TokenRules,
  now: () => number,
  defer: Defer | undefined,
): Promise<Authentication> {
  let lookup = await keys.keys(undefined, defer);
  if (lookup === undefined) return UNAVAILABLE;
  let verified = await verify(token, lookup, rules, now);
  if (verified === "unknown key") {
    lookup = await keys.keys(lookup, defer);
    if (lookup === undefined) return UNAVAILABLE;
    verified = await verify(token, lookup, rules, now);
  }
  if (verified === "unknown key") return refused("CREDENTIALS_INVALID", NOT_SIGNED);
  return "claims" in verified ? callerOf(verified.claims, rules) : verified;
}

const UNAVAILABLE: Authentication = {
  ok: false,
  refusal: {
    reason: "ISSUER_UNAVAILABLE",
    message: "The keys that tokens are checked with cannot be fetched now.",
    retryAfter: 30,
  },
};

const NOT_SIGNED = "The token is not signed by a key of the issuer's.";

type Verified = { readonly claims: Claims } | Extract<Authentication, { ok: false }> | "unknown key";

async function verify(token: string, lookup: KeyLookup, rules: TokenRules, now: () => number): Promise<Verified> {
  try {
    const { payload } = await jwtVerify(token, lookup, {
      issuer: rules.issuer,
      audience: [...rules.audience],
      algorithms: [...rules.algorithms],
      clockTolerance: rules.clockSkewSeconds,
      requiredClaims: ["exp"],
      currentDate: new Date(now()),
    });
    return { claims: payload };
  } catch (error) {
    if (error instanceof JWKSNoMatchingKey) return "unknown key";
    return refusalOf(error);
  }
}

/** Only for tokens that the issuer signed does the refusal say which claim is missing. */
function refusalOf(error: unknown): Extract<Authentication, { ok: false }> {
  const { code, claim } = error as { code?: string; claim?: unknown };
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return refused("CREDENTIALS_EXPIRED", "The token has expired.", "Ask the issuer for a new one.");
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return refused(
        "CREDENTIALS_INVALID",
        claim === "nbf" ? "The token is not valid yet." : `The claim ${String(claim)} of the token is not accepted.`,
      );
    case "ERR_JWKS_MULTIPLE_MATCHING_KEYS":
      return refused("CREDENTIALS_INVALID", "The token does not say which key it is signed with (kid).");
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return refused("CREDENTIALS_INVALID", "The token is signed by an algorithm that is not accepted.");
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
      return refused("CREDENTIALS_INVALID", NOT_SIGNED);
    default:
      // A TypeError is about the issuer's key: too short, or of another type than declared.
      if (error instanceof JOSEError || error instanceof TypeError || error instanceof DOMException) {
        return refused("CREDENTIALS_INVALID", "The credential is not a token that can be checked.");
      }
      throw error;
  }
}

function callerOf(claims: Claims, rules: TokenRules): Authentication {
  const subject = subjectOf(claims, rules.subjectClaims);
  if (!subject.ok) return subject;
  const properties = propertiesOf(claims, rules.properties);
  if (!properties.ok) return properties;
  const connections = connectionsOf(claims, rules.connections, rules.connectionsClaim);
  if (!connections.ok) return connections;
  const ownConnections = ownConnectionsOf(claims, rules.ownConnections, rules.ownConnectionsClaim);
  if (!ownConnections.ok) return ownConnections;
  const projects = connectionsOf(claims, rules.projects, rules.projectsClaim);
  if (!projects.ok) return projects;
  const scopes = scopesOf(claims);
  return {
    ok: true,
    caller: {
      id: subject.value,
      claims: properties.value,
      bound: new Set(Object.keys(rules.properties)),
      connections: connections.value,
      ownConnections: ownConnections.value,
      limits: rules.limits,
      projects: projects.value,
      viewAs: scopes.has("siskin:view-as"),
      operates: scopes.has("siskin:operator"),
      isAgent: !rules.hasScopes || scopes.has("siskin:query"),
    },
  };
}
