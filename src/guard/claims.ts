/**
 * Evaluates a token's claims: the caller's name, session properties and connections
 * (docs/decisions/0010-session-properties.md#decision).
 */
import type { ClaimProperty } from "../config/callers.ts";
import { type Authentication, refused, type UsableConnections } from "./caller.ts";
import { listLiteralOf, literalOf } from "./property-literal.ts";

export type Claims = Readonly<Record<string, unknown>>;

type Refused = Extract<Authentication, { ok: false }>;
type Outcome<T> = { readonly ok: true; readonly value: T } | Refused;

/** A longer subject would fill the log, and is not a name. */
const LONGEST_SUBJECT = 256;

export function subjectOf(claims: Claims, names: readonly string[]): Outcome<string> {
  for (const name of names) {
    const value = valueAt(claims, [name]);
    if (value === undefined || value === "") continue;
    if (typeof value === "string" && value.length <= LONGEST_SUBJECT) return { ok: true, value };
    return refused("CLAIM_INVALID", `The claim ${name} is not a short text.`);
  }
  return refused("CLAIM_REQUIRED", `The token has no ${names.join(" or ")}.`);
}

export function propertiesOf(
  claims: Claims,
  mapping: Readonly<Record<string, ClaimProperty>>,
): Outcome<ReadonlyMap<string, string>> {
  const properties = new Map<string, string>();
  for (const [name, { path, type, required }] of Object.entries(mapping)) {
    const value = valueAt(claims, path);
    if (value === undefined || value === null) {
      if (required) return refused("CLAIM_REQUIRED", `The token lacks the claim that sets the property ${name}.`);
      continue;
    }
    const literal = type === "strings" ? listOf(value) : typeof value === type ? literalOf(value) : undefined;
    // The value is not repeated: errors are passed on, and claims are personal data.
    if (literal === undefined) {
      return refused("CLAIM_INVALID", `The claim that sets the property ${name} is not of its type (${type}).`);
    }
    properties.set(name, literal);
  }
  return { ok: true, value: properties };
}

/** The scopes of a token (RFC 9068): `scope` with blanks between them, or the list `scp`. A claim of another shape has none. */
export function scopesOf(claims: Claims): ReadonlySet<string> {
  const { scope, scp } = claims;
  const listed = Array.isArray(scp) ? scp.filter((each): each is string => typeof each === "string") : wordsOf(scp);
  return new Set([...wordsOf(scope), ...listed]);
}

const wordsOf = (value: unknown): readonly string[] => (typeof value === "string" ? value.split(" ") : []);

/** Names of connections or projects: those of every token, and those of a claim. */
export function connectionsOf(
  claims: Claims,
  always: readonly string[],
  claim: string | undefined,
): Outcome<UsableConnections> {
  if (always.includes("*")) return { ok: true, value: "all" };
  const value = (claim === undefined ? undefined : valueAt(claims, claim.split("."))) ?? [];
  const names = typeof value === "string" ? [value] : value;
  if (Array.isArray(names) && names.every((name): name is string => typeof name === "string")) {
    return { ok: true, value: new Set([...always, ...names]) };
  }
  return refused("CLAIM_INVALID", `The claim ${claim} is not a list of names.`);
}

/** Whether the token allows connection fields in requests. */
export function ownConnectionsOf(claims: Claims, standard: boolean, claim: string | undefined): Outcome<boolean> {
  const value = claim === undefined ? undefined : valueAt(claims, claim.split("."));
  if (value === undefined) return { ok: true, value: standard };
  if (typeof value === "boolean") return { ok: true, value };
  return refused("CLAIM_INVALID", `The claim ${claim} is neither true nor false.`);
}

function listOf(value: unknown): string | undefined {
  return Array.isArray(value) ? listLiteralOf(value) : undefined;
}

function valueAt(claims: Claims, path: readonly string[]): unknown {
  let value: unknown = claims;
  for (const member of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Claims)[member];
  }
  return value;
}
