/**
 * Unknown names in a request: members of its body and query parameters. Each is a warning with similar names. It is an error if
 * the name is probably about TLS or about values that access rules read.
 */
import { namesTls } from "../connectors/connection/unknown-members.ts";
import type { PlannerWarning } from "../planner/diagnostics.ts";
import { isSlipOf, nearestNames, plainLetters } from "../planner/suggest.ts";

export interface NamesOfRequest {
  readonly given: Iterable<string>;
  readonly known: readonly string[];
  /** Known names that are never suggested: other spellings, and names that other requests have. */
  readonly passed?: readonly string[];
  /** `the body has no member`, before the name. */
  readonly problem: string;
  /** The remedy for a name that another part of the request has. */
  readonly elsewhere?: (name: string) => string | undefined;
}

/** Maximum number of described names; the others are counted. */
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

/** The probable meaning of a name, where ignoring it could show too many rows or send data unencrypted. */
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
