/** Settings about callers: their authentication, the use of their claims, and their limits. */
import * as z from "zod/mini";
import { isSecure } from "../secure-url.ts";
import { integer, json, list, optional, required, standard } from "./setting.ts";

/** Limits of a caller; an absent limit means unlimited. */
export interface CallerLimits {
  readonly requestsPerMinute?: number;
  /** Requests that run or wait at once, per isolate. */
  readonly concurrent?: number;
  /** Limits of one answer. */
  readonly rows?: number;
  readonly bytes?: number;
}

export interface KeyDigest {
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly expires: number | undefined;
}

/** The value of a session property from the operator or from a claim. */
export type PropertyValue = string | number | boolean;

export interface ApiKey {
  readonly digests: readonly KeyDigest[];
  readonly connections: readonly string[];
  /** Whether requests may contain connection fields; the setting's value applies if absent. */
  readonly ownConnections?: boolean;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly limits: CallerLimits;
  readonly projects: readonly string[];
  readonly viewAs: boolean;
  readonly operator: boolean;
}

export const CLAIM_TYPES = ["string", "number", "boolean", "strings"] as const;

export interface ClaimProperty {
  /** Members on the path to the value. */
  readonly path: readonly string[];
  readonly type: (typeof CLAIM_TYPES)[number];
  /** If true, a caller without the claim is refused; otherwise the property is not set. */
  readonly required: boolean;
}

/** Asymmetric algorithms: whoever can check a signature cannot create one. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"] as const;

const name = () => z.string().check(z.regex(/^[\w.@-]{1,64}$/, "a name is 1 to 64 letters, digits, _ . @ -"));
const propertyName = () =>
  z.pipe(
    z.string().check(z.minLength(1), z.maxLength(200)),
    z.transform((text) => text.toLowerCase()),
  );
const propertyValue = () => z.union([z.string(), z.number(), z.boolean()]);
const count = () => z.int().check(z.minimum(1));

const limits = () =>
  z.strictObject({
    requestsPerMinute: z.exactOptional(count()),
    concurrent: z.exactOptional(count()),
    rows: z.exactOptional(count()),
    bytes: z.exactOptional(count()),
  });

const sha256 = () =>
  z.pipe(
    z.string().check(z.regex(/^[0-9a-fA-F]{64}$/, "a digest is 64 hexadecimal digits")),
    z.transform((text) => text.toLowerCase()),
  );

const digest = () =>
  z.union([
    z.pipe(
      sha256(),
      z.transform((text): KeyDigest => ({ sha256: text, expires: undefined })),
    ),
    z.pipe(
      z.strictObject({ sha256: sha256(), expires: z.iso.datetime({ offset: true }) }),
      z.transform((given): KeyDigest => ({ sha256: given.sha256, expires: Date.parse(given.expires) })),
    ),
  ]);

const apiKeys = () =>
  z.record(
    name(),
    z.strictObject({
      digests: z.array(digest()).check(z.minLength(1)),
      connections: z._default(z.array(z.string()), []),
      ownConnections: z.exactOptional(z.boolean()),
      properties: z._default(z.record(propertyName(), propertyValue()), {}),
      limits: z._default(limits(), {}),
      projects: z._default(z.array(z.string()), []),
      viewAs: z._default(z.boolean(), false),
      operator: z._default(z.boolean(), false),
    }),
  ) as unknown as z.ZodMiniType<Readonly<Record<string, ApiKey>>>;

const claimPath = () =>
  z.union([
    z.pipe(
      z.string().check(z.minLength(1)),
      z.transform((text): readonly string[] => text.split(".")),
    ),
    z.array(z.string()).check(z.minLength(1)),
  ]);

const claimProperties = () =>
  z.record(
    propertyName(),
    z.union([
      z.pipe(
        claimPath(),
        z.transform((path): ClaimProperty => ({ path, type: "string", required: true })),
      ),
      z.pipe(
        z.strictObject({
          claim: claimPath(),
          type: z._default(z.enum(CLAIM_TYPES), "string"),
          required: z._default(z.boolean(), true),
        }),
        z.transform(({ claim, type, required }): ClaimProperty => ({ path: claim, type, required })),
      ),
    ]),
  ) as unknown as z.ZodMiniType<Readonly<Record<string, ClaimProperty>>>;

const properties = () =>
  z.record(propertyName(), propertyValue()) as unknown as z.ZodMiniType<Readonly<Record<string, PropertyValue>>>;

/** A set of public keys (RFC 7517); each key is parsed when a token names it. */
const keySet = () => z.looseObject({ keys: z.array(z.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]) })) });

const algorithms = () =>
  z.pipe(list(), z.array(z.enum(ALGORITHMS)).check(z.minLength(1))) as unknown as z.ZodMiniType<
    readonly (typeof ALGORITHMS)[number][]
  >;

const most = integer(0, Number.MAX_SAFE_INTEGER);

export const callerSettings = {
  AUTH: required(
    () => z.enum(["none", "keys", "jwt"]),
    "How callers prove who they are: not at all, by a key, by a signed token. A deployment must say ([callers.md](callers.md)).",
  ),
  API_KEYS: optional(
    json(apiKeys),
    "Secret, for `AUTH=keys`: JSON of callers' names with the SHA-256 digests of their keys and what they may do.",
  ),
  JWT_ISSUER: optional(() => z.string().check(z.minLength(1)), "For `AUTH=jwt`: the `iss` that tokens must have."),
  JWT_AUDIENCE: standard(list, [], "For `AUTH=jwt`: values of `aud`, one of which tokens must have."),
  JWT_JWKS_URL: optional(() => z.url(), "For `AUTH=jwt`: where the issuer publishes its keys; https unless loopback."),
  JWT_KEYS: optional(json(keySet), "For `AUTH=jwt`, instead of `JWT_JWKS_URL`: the issuer's public keys, as a JWKS."),
  JWT_ALGORITHMS: standard(
    algorithms,
    ["RS256"],
    "Signatures that are accepted, all asymmetric: RS256 to RS512, PS256 to PS512, ES256 to ES512, EdDSA.",
  ),
  JWT_CLOCK_SKEW_SECONDS: standard(integer(0, 300), 30, "How far the issuer's clock may be from ours."),
  JWT_HEADER: standard(
    () => z.enum(["authorization", "cf-access-jwt-assertion"]),
    "authorization",
    "Header that brings the token; the second is Cloudflare Access's.",
  ),
  JWT_SUBJECT_CLAIM: standard(
    list,
    ["sub"],
    "Claims that name the caller; the first that is there and not empty counts.",
  ),
  JWT_CONNECTIONS: standard(list, [], "Named connections that every token may use; `*` for all."),
  JWT_CONNECTIONS_CLAIM: optional(
    () => z.string().check(z.minLength(1)),
    "Claim with a list of named connections that the token may use besides.",
  ),
  JWT_PROJECTS: standard(list, [], "Projects that every token may use; `*` for all."),
  JWT_PROJECTS_CLAIM: optional(
    () => z.string().check(z.minLength(1)),
    "Claim with a list of projects that the token may use besides.",
  ),
  JWT_OWN_CONNECTIONS_CLAIM: optional(
    () => z.string().check(z.minLength(1)),
    "Claim that is true or false: whether the token may bring connections of its own. Without it `CALLER_OWN_CONNECTIONS` holds.",
  ),
  CALLER_OWN_CONNECTIONS: standard(
    () => z.enum(["allowed", "refused"]),
    "allowed",
    "Whether callers may bring connections of their own, or use named ones only; a key or a token may say otherwise.",
  ),
  CLAIM_PROPERTIES: optional(
    json(claimProperties),
    'JSON of session properties with the claims that fix them: `{"tenant": "org.id"}`.',
  ),
  SESSION_PROPERTIES: optional(
    json(properties),
    "JSON of session properties that hold for every request, whatever it says of them.",
  ),
  AUDIT: standard(
    () => z.enum(["off", "on"]),
    "off",
    "A log line for each request that plans something: who asked which models, with which rules ([operations.md](operations.md)).",
  ),
  CALLER_REQUESTS_PER_MINUTE: standard(most, 0, "Requests a minute of one caller, per isolate; 0 is any number."),
  CALLER_CONCURRENT: standard(
    most,
    0,
    "Requests of one caller that run or wait at once, per isolate; 0 is any number.",
  ),
  CALLER_MAX_ROWS: standard(most, 0, "Rows of one answer to one caller; 0 is any number."),
  CALLER_MAX_BYTES: standard(most, 0, "Bytes that the values of one answer to one caller may take; 0 is any number."),
} as const;

type Values = {
  readonly [N in keyof typeof callerSettings]: ReturnType<(typeof callerSettings)[N]["schema"]>["_zod"]["output"];
};

/** Contradictions between settings, one sentence each. */
export function callerProblems(settings: Values): string[] {
  const problems: string[] = [];
  const { AUTH, API_KEYS, JWT_JWKS_URL, JWT_KEYS } = settings;
  const is = (way: Values["AUTH"], names: readonly (keyof Values)[]): void => {
    if (AUTH === way) return;
    for (const each of names) if (isGiven(settings[each])) problems.push(`${each} is for AUTH=${way}`);
  };
  is("keys", ["API_KEYS"]);
  is("jwt", [
    "JWT_ISSUER",
    "JWT_AUDIENCE",
    "JWT_JWKS_URL",
    "JWT_KEYS",
    "JWT_CONNECTIONS_CLAIM",
    "JWT_PROJECTS_CLAIM",
    "JWT_OWN_CONNECTIONS_CLAIM",
    "CLAIM_PROPERTIES",
  ]);
  if (AUTH === "keys" && !isGiven(API_KEYS)) problems.push("AUTH=keys needs API_KEYS with at least one key");
  if (AUTH === "jwt") {
    if (settings.JWT_ISSUER === undefined) problems.push("AUTH=jwt needs JWT_ISSUER");
    if (settings.JWT_AUDIENCE.length === 0) problems.push("AUTH=jwt needs JWT_AUDIENCE");
    if ((JWT_JWKS_URL === undefined) === (JWT_KEYS === undefined)) {
      problems.push("AUTH=jwt needs JWT_JWKS_URL or JWT_KEYS, and not both");
    }
    if (JWT_KEYS?.keys.some((key) => "d" in key)) problems.push("JWT_KEYS holds a private key");
    if (settings.JWT_SUBJECT_CLAIM.length === 0) problems.push("JWT_SUBJECT_CLAIM names no claim");
  }
  if (AUTH === "none") {
    for (const each of LIMITS)
      if (settings[each] > 0) problems.push(`${each} needs callers that are told apart: AUTH=keys or jwt`);
  }
  if (JWT_JWKS_URL !== undefined && !isSecure(JWT_JWKS_URL)) {
    problems.push("JWT_JWKS_URL must be https unless it is a loopback address");
  }
  const digests = Object.values(API_KEYS ?? {}).flatMap((key) => key.digests.map((each) => each.sha256));
  if (new Set(digests).size < digests.length) problems.push("API_KEYS has a digest twice: a key belongs to one caller");
  return problems;
}

const LIMITS = ["CALLER_REQUESTS_PER_MINUTE", "CALLER_CONCURRENT", "CALLER_MAX_ROWS", "CALLER_MAX_BYTES"] as const;

function isGiven(value: unknown): boolean {
  if (value === undefined) return false;
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}
