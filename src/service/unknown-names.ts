/**
 * Names in a request that mean nothing: members of its body and query parameters. Each is a warning with near names, and an error
 * where it is probably about TLS or about what access rules read.
 */
import { namesTls } from "../connectors/connection/unknown-members.ts";
import type { PlannerWarning } from "../planner/diagnostics.ts";
import { isSlipOf, nearestNames, plainLetters } from "../planner/suggest.ts";

export interface NamesOfRequest {
  readonly given: Iterable<string>;
  readonly known: readonly string[];
  /** Known as well, and never suggested: other spellings, and what has a meaning in other requests. */
  readonly passed?: readonly string[];
  /** `the body has no member`, before the name. */
  readonly problem: string;
  /** What to do about a name that is known elsewhere. */
  readonly elsewhere?: (name: string) => string | undefined;
}

/** So many are described; the rest is counted. */
const MOST_DESCRIBED = 10;

export function unknownNames({
  given,
  known,
  passed = [],
  problem,
  elsewhere,
}: NamesOfRequest): readonly PlannerWarning[] {
  const all = new Set([...known, ...passed]);
  const unknown = [...new Set(given)].filter((name) => !all.has(name));
  const warnings = unknown.slice(0, MOST_DESCRIBED).map((name): PlannerWarning => {
    const near = nearestNames(name, known);
    const hint = elsewhere?.(name) ?? (near.length > 0 ? `Did you mean ${near.join(" or ")}?` : undefined);
    return { code: "UNKNOWN_OPTION", message: `${problem} ${shown(name)}`, ...(hint !== undefined && { hint }) };
  });
  const more = unknown.length - warnings.length;
  if (more === 0) return warnings;
  return [...warnings, { code: "UNKNOWN_OPTION", message: `${problem} of ${more} more names` }];
}

/** What a name is probably meant to be, where going on without it could show more than it should, or send it in clear. */
export function protectedName(name: string): "sessionProperties" | "connectionInfo" | undefined {
  const letters = plainLetters(name.slice(0, 100));
  if (isSlipOf(letters, "sessionProperties") || SESSION.has(letters)) return "sessionProperties";
  return namesTls(name) ? "connectionInfo" : undefined;
}

const SESSION: ReadonlySet<string> = new Set([
  "sessionproperty",
  "sessionvariables",
  "sessionvariable",
  "sessionprops",
]);

function shown(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 99)}…`.toWellFormed();
}
