/** Shared by the parsed connections of all sources, with their errors. */
import type * as z from "zod/mini";
import type { DataSource, PlannerWarning } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";

export interface ParsedConnection<C extends { readonly source: DataSource }> {
  readonly info: C;
  /** Warnings about options that are not supported (docs/decisions/0029-nothing-unknown-is-silent.md). */
  readonly warnings: readonly PlannerWarning[];
}

/**
 * The connection as a `connectionInfo` object in one spelling, with its secrets in clear text. It is sent to the sidecar, which
 * parses it with the same parser. `parse(canonical(c))` equals `c`.
 */
export type CanonicalConnection = { readonly [member: string]: CanonicalValue };
export type CanonicalValue =
  | string
  | number
  | boolean
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue };

/**
 * A text that is equal for two connections exactly when they are the same, secrets included: the key of pools and, through HMAC,
 * of the cache. It is itself a secret; never log it.
 */
export function connectionIdentity(source: DataSource, canonical: CanonicalConnection): string {
  return JSON.stringify([source, sorted(canonical)]);
}

function sorted(value: CanonicalValue): CanonicalValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([member, inner]) => [member, sorted(inner)]));
}

/** `connectionInfo.port: must be …`. The message names the member and never repeats its value. */
export function invalidConnection(member: string, problem: string, hint?: string): ConnectorFailure {
  const path = member === "" ? "connectionInfo" : `connectionInfo.${member}`;
  return new ConnectorFailure("INVALID_CONNECTION", `${path}: ${problem}`, hint === undefined ? {} : { hint });
}

/**
 * Checks the structure of `raw` and reports every member that is missing or has the wrong type, without zod's messages, which may
 * quote values.
 */
export function checkShape<T>(schema: z.ZodMiniType<T>, raw: unknown): T {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path }) => {
    const found = path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], raw);
    return { member: path.join("."), problem: found === undefined ? "is missing" : "has the wrong type" };
  });
  const [first = { member: "", problem: "has the wrong type" }, ...rest] = problems;
  const others = rest.map(({ member, problem }) => `; connectionInfo.${member}: ${problem}`).join("");
  throw invalidConnection(first.member, `${first.problem}${others}`);
}
