/** Authenticates callers (docs/decisions/0031-authentication-is-chosen.md) before any other part of a request is read. */
import type { CallerLimits } from "../config/callers.ts";
import type { WorkerSettings } from "../config.ts";
import { keyAuthenticator } from "./api-keys.ts";
import { ANONYMOUS, type Authentication, type Caller } from "./caller.ts";
import { credentialOf, tokenIn } from "./credentials.ts";
import type { Defer } from "./token-keys.ts";
import type { TokenRules, tokenReader } from "./tokens.ts";

export interface Authenticator {
  /** The required kind of credentials; for the API's description. */
  readonly scheme: WorkerSettings["AUTH"] | "access";
  /** `audience`: a value of `aud` that tokens may have for this request, besides those of `JWT_AUDIENCE`. */
  authenticate(request: Request, defer?: Defer, audience?: string): Promise<Authentication>;
}

export interface AuthenticatorHost {
  /** Fetches the issuer's keys. */
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const ANYBODY: Omit<Caller, "ownConnections"> = {
  id: ANONYMOUS,
  claims: new Map(),
  bound: new Set(),
  connections: "all",
  limits: {},
  projects: "all",
  viewAs: true,
  operates: true,
};

/** Throws if the settings are impossible to apply. */
export function createAuthenticator(settings: WorkerSettings, host: AuthenticatorHost): Authenticator {
  const now = host.now ?? Date.now;
  const ownConnections = settings.CALLER_OWN_CONNECTIONS === "allowed";
  switch (settings.AUTH) {
    case "none":
      return { scheme: "none", authenticate: async () => ({ ok: true, caller: { ...ANYBODY, ownConnections } }) };
    case "keys":
      return {
        scheme: "keys",
        authenticate: keyAuthenticator(
          settings.API_KEYS ?? {},
          { limits: callerLimits(settings), ownConnections },
          now,
        ),
      };
    case "jwt":
      return tokenAuthenticator(settings, host, now);
    default:
      return settings.AUTH satisfies never;
  }
}

function tokenAuthenticator(settings: WorkerSettings, host: AuthenticatorHost, now: () => number): Authenticator {
  const rules: TokenRules = {
    issuer: settings.JWT_ISSUER ?? "",
    audience: settings.JWT_AUDIENCE,
    algorithms: settings.JWT_ALGORITHMS,
    clockSkewSeconds: settings.JWT_CLOCK_SKEW_SECONDS,
    subjectClaims: settings.JWT_SUBJECT_CLAIM,
    properties: settings.CLAIM_PROPERTIES ?? {},
    connections: settings.JWT_CONNECTIONS,
    connectionsClaim: settings.JWT_CONNECTIONS_CLAIM,
    ownConnections: settings.CALLER_OWN_CONNECTIONS === "allowed",
    ownConnectionsClaim: settings.JWT_OWN_CONNECTIONS_CLAIM,
    limits: callerLimits(settings),
    projects: settings.JWT_PROJECTS,
    projectsClaim: settings.JWT_PROJECTS_CLAIM,
    hasScopes: settings.JWT_HEADER === "authorization",
  };
  const { JWT_JWKS_URL: url, JWT_KEYS: set, JWT_HEADER: header } = settings;
  let callerOf: ReturnType<typeof tokenReader> | undefined;
  return {
    scheme: header === "authorization" ? "jwt" : "access",
    async authenticate({ headers }, defer, audience) {
      const credential = header === "authorization" ? credentialOf(headers, undefined) : tokenIn(headers, header);
      if (!credential.ok) return credential;
      const { tokenReader } = await import("./tokens.ts");
      // No await before the assignment: otherwise several first requests would each create a reader and contact the issuer.
      callerOf ??= tokenReader(url === undefined ? (set ?? { keys: [] }) : { url, fetch: host.fetch, now }, rules, now);
      return callerOf(credential.text, defer, audience);
    },
  };
}

function callerLimits(settings: WorkerSettings): CallerLimits {
  return {
    ...(settings.CALLER_REQUESTS_PER_MINUTE > 0 && { requestsPerMinute: settings.CALLER_REQUESTS_PER_MINUTE }),
    ...(settings.CALLER_CONCURRENT > 0 && { concurrent: settings.CALLER_CONCURRENT }),
    ...(settings.CALLER_MAX_ROWS > 0 && { rows: settings.CALLER_MAX_ROWS }),
    ...(settings.CALLER_MAX_BYTES > 0 && { bytes: settings.CALLER_MAX_BYTES }),
  };
}
