/**
 * The windows of a WINDOW clause, and what another window may add to one that it names. PostgreSQL's rules, checked for all sources:
 * some of them ignore a frame of the named window, and others accept a second PARTITION BY or ORDER BY.
 */
import { PlannerError } from "../diagnostics.ts";
import { nearestNames } from "../suggest.ts";
import type { Identifier, Select, Window } from "../syntax/tree.ts";

/** A window with what it has from the windows that it names. */
interface DefinedWindow {
  readonly name: string;
  readonly ordered: boolean;
  readonly framed: boolean;
}

/** By lower-case names. */
export type DefinedWindows = ReadonlyMap<string, DefinedWindow>;

/** A window may name those before it. */
export function definedWindows({ windows }: Select): DefinedWindows {
  const defined = new Map<string, DefinedWindow>();
  for (const { name, window } of windows) {
    const folded = name.name.toLowerCase();
    if (defined.has(folded)) {
      throw new PlannerError("INVALID_QUERY", `WINDOW defines "${name.name}" more than once`, {
        span: name.span,
        hint: "Give each window a name of its own.",
      });
    }
    const base = checkBase(window, defined);
    defined.set(folded, {
      name: name.name,
      ordered: window.orderBy.length > 0 || base?.ordered === true,
      framed: window.frame !== undefined,
    });
  }
  return defined;
}

/** The window that `window` names, if it does, and if it may have what `window` adds. */
export function checkBase(
  { base, named, partitionBy, orderBy, frame }: Window,
  defined: DefinedWindows,
): DefinedWindow | undefined {
  if (base === undefined) return undefined;
  const found = defined.get(base.name.toLowerCase()) ?? notDefined(base, defined);
  if (named) return found;
  if (partitionBy.length > 0) {
    throw refused(`the partitions of window "${base.name}" cannot be changed`, base, "Leave out PARTITION BY.");
  }
  if (orderBy.length > 0 && found.ordered) {
    throw refused(`window "${base.name}" has an ORDER BY already`, base, "Leave out one of the two.");
  }
  if (found.framed) {
    const hint =
      orderBy.length > 0 || frame
        ? "Write the whole window after OVER."
        : `Write OVER ${base.name}, without parentheses.`;
    throw refused(`window "${base.name}" has a frame, so nothing can be added to it`, base, hint);
  }
  return found;
}

function notDefined(base: Identifier, defined: DefinedWindows): never {
  const suggestions = nearestNames(
    base.name,
    [...defined.values()].map(({ name }) => name),
  );
  throw new PlannerError("INVALID_QUERY", `window "${base.name}" is not defined`, {
    span: base.span,
    suggestions,
    hint: suggestions.length > 0 ? `Did you mean "${suggestions.join('" or "')}"?` : "Define it: WINDOW w AS (…).",
  });
}

const refused = (message: string, { span }: Identifier, hint: string): PlannerError =>
  new PlannerError("INVALID_QUERY", message, { span, hint });
