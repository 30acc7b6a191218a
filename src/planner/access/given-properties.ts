/**
 * Session properties that no rule of the manifest reads. One that is probably a misspelt name of a property that a rule lacks is
 * refused: an optional property that is missing takes its rule away.
 */
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { isSlipOf, nearestNames } from "../suggest.ts";

/** So many names are described; the rest is counted. */
const MOST_DESCRIBED = 10;
/** Names of either side that are compared. */
const MOST_COMPARED = 200;

/**
 * Warnings for `given`, the names that the request's body has. `session`: every property that the request has, wherever it is from.
 * Throws SESSION_PROPERTY_INVALID.
 */
export function unreadProperties(
  manifest: Manifest,
  session: ReadonlyMap<string, string>,
  given: readonly string[],
): readonly PlannerWarning[] {
  if (session.size === 0 && given.length === 0) return [];
  const read = manifest.sessionProperties;
  const missing = [...read].filter((name) => !session.has(name)).slice(0, MOST_COMPARED);
  for (const name of [...session.keys()].filter((each) => !read.has(each)).slice(0, MOST_COMPARED)) {
    const near = missing.filter((each) => isSlipOf(name, each));
    if (near.length === 0) continue;
    const message = `no access rule of the manifest reads the session property ${cut(name)}`;
    const hint = `Did you mean ${near.slice(0, 3).join(" or ")}, which a rule reads and the request lacks?`;
    throw new PlannerError("SESSION_PROPERTY_INVALID", message, { hint, suggestions: near.slice(0, 3) });
  }
  const unread = given.filter((name) => !read.has(name.toLowerCase()));
  const warnings = unread.slice(0, MOST_DESCRIBED).map((name): PlannerWarning => {
    const near = nearestNames(name, [...read].slice(0, MOST_COMPARED));
    const hint = near.length === 0 ? undefined : `Did you mean ${near.join(" or ")}?`;
    const message = `sessionProperties.${cut(name)}: no access rule of the manifest reads it`;
    return { code: "UNKNOWN_OPTION", message, ...(hint !== undefined && { hint }) };
  });
  const more = unread.length - warnings.length;
  if (more === 0) return warnings;
  const message = `sessionProperties: no access rule of the manifest reads ${more} more of them`;
  return [...warnings, { code: "UNKNOWN_OPTION", message }];
}

const cut = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 99)}…`.toWellFormed());
