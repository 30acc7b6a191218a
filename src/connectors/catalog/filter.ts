/**
 * The patterns of a catalogue request (docs/decisions/0012-planning-without-a-source.md): `*` any text, `?` one character, compared
 * without case.
 */
import type { CatalogFilter } from "./types.ts";

export interface CatalogNames {
  readonly catalog?: string | null;
  readonly schema?: string | null;
  readonly table?: string | null;
}

/** Only `*` matches a name that a record does not have. */
export function catalogMatcher(filter: CatalogFilter): (names: CatalogNames) => boolean {
  const catalog = patternMatcher(filter.catalog);
  const schema = patternMatcher(filter.schema);
  const table = patternMatcher(filter.table);
  return (names) => catalog(names.catalog ?? "") && schema(names.schema ?? "") && table(names.table ?? "");
}

function patternMatcher(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined || pattern === "*") return () => true;
  const steps = [...pattern.toLowerCase()];
  return (name) => matches(steps, [...name.toLowerCase()]);
}

/** Takes linear time except for one remembered `*`: a caller's pattern must not cost more than the names that it filters. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < name.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      resume = i;
    } else if (pattern[at] === "?" || pattern[at] === name[i]) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
