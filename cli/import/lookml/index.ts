/** LookML: a file, or the folder of a project. */
import { written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { Explores } from "./explores.ts";
import { Measures } from "./measures.ts";
import { readLookml } from "./project.ts";
import { ViewModels } from "./view-model.ts";

/** Throws `FaultsInFiles` and `UsageError`. */
export function importLookml(path: string, shown: string, draft: Draft): void {
  const { views, explores } = readLookml(path, shown, draft);
  const models = new ViewModels(views, draft);
  if (explores.size > 0) {
    new Explores(views, explores, models, draft).add();
    const read = new Set<string>();
    for (const [name, explore] of explores) {
      for (const each of [explore, ...explore.items("join")]) {
        read.add(each.text("from") ?? each.text("view_name") ?? each.text("name") ?? name);
      }
    }
    for (const [name, view] of views) {
      if (!read.has(name)) draft.report.leaveOut(`view "${name}"`, "No explore reads it.", view.at());
    }
    return;
  }
  // Views without an explore are models by themselves.
  for (const [name, item] of views) {
    const made = draft.attempt(`view "${name}"`, item.at(), () => models.made({ item, alias: name, filters: [] }));
    if (made === undefined) continue;
    for (const [field, { kind, item: dimension }] of made.dimensions) {
      draft.member(made.cube, kind, { name: field, expression: written(field) }, dimension.at());
    }
    new Measures(made, draft).add(() => true);
  }
}
