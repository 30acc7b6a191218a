/** Paths of relationships between models. */
import type { Draft } from "./draft.ts";
import type { ModelDraft } from "./model-draft.ts";

const LONGEST = 4;

/** The columns that lead from one model to another; undefined if there is no path, or more than one. */
export function pathTo(from: ModelDraft, to: ModelDraft, draft: Draft): readonly string[] | undefined {
  const found: (readonly string[])[] = [];
  const follow = (model: ModelDraft, path: readonly string[], seen: ReadonlySet<ModelDraft>): void => {
    if (found.length > 1 || path.length >= LONGEST) return;
    for (const { name, type } of model.paths) {
      const next = draft.models.get(type.toLowerCase());
      if (next === undefined || seen.has(next)) continue;
      if (next === to) found.push([...path, name]);
      else follow(next, [...path, name], new Set([...seen, next]));
    }
  };
  follow(from, [], new Set([from]));
  return found.length === 1 ? found[0] : undefined;
}
