/** Joins between semantic models of dbt: an entity of one is the primary or a unique entity of another. */
import { written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import type { SemanticModel } from "./semantic-model.ts";

/** Paths by entity, and the model that each leads to. */
export type Paths = ReadonlyMap<
  SemanticModel,
  ReadonlyMap<string, { readonly path: string; readonly to: SemanticModel }>
>;

export function joinModels(models: readonly SemanticModel[], draft: Draft): Paths {
  const paths = new Map<SemanticModel, Map<string, { readonly path: string; readonly to: SemanticModel }>>();
  for (const from of models) {
    const own = new Map<string, { readonly path: string; readonly to: SemanticModel }>();
    paths.set(from, own);
    for (const entity of from.entities) {
      const targets = models.flatMap((to) => {
        const key = to.entities.find(({ name, type }) => name === entity.name && type !== "foreign");
        return to === from || key === undefined ? [] : [{ to, key }];
      });
      for (const { to, key } of targets) {
        const path = draft.join(
          {
            name: `${from.model.name}_${entity.name}${targets.length > 1 ? `_${to.model.name}` : ""}`,
            from: from.model,
            to: to.model,
            pairs: [[entity.column, key.column]],
            joinType: entity.type === "foreign" ? "MANY_TO_ONE" : "ONE_TO_ONE",
            path: entity.name,
          },
          from.item.at("entities"),
        );
        if (path === undefined) continue;
        if (targets.length === 1) own.set(entity.name, { path, to });
        addDimensions(from, to, `${entity.name}__`, path, draft);
      }
      const expression = written(entity.column);
      draft.member(from.cube, "dimension", { name: entity.name, expression }, from.item.at("entities"));
    }
  }
  return paths;
}

/** Dimensions of the joined model, under the names that dbt's queries use. */
function addDimensions(from: SemanticModel, to: SemanticModel, prefix: string, path: string, draft: Draft): void {
  for (const { name, isTime } of to.dimensions.values()) {
    const expression = `${written(path)}.${written(name)}`;
    const kind = isTime ? "time dimension" : "dimension";
    draft.member(from.cube, kind, { name: `${prefix}${name}`, expression }, to.item.at("dimensions"));
  }
}
