/** Models that need themselves, by their base or by the tables that their rules read. */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model } from "../manifest/model.ts";
import { modelsBehind } from "./models-read.ts";

/** The models that `model` itself is made of. */
export function builtOn(model: Model, manifest: Manifest): readonly Model[] {
  if (model.base !== undefined) return [model.base];
  return model.baseQuery === undefined ? [] : [...modelsBehind(model.baseQuery, manifest)];
}

/** Throws MANIFEST_CYCLE if a model needs itself; `problem` describes the kind of cycle. */
export function refuseCycles(
  model: Model,
  needed: (model: Model) => readonly Model[],
  problem: (model: Model) => string,
): void {
  const checked = new Set<Model>();
  const trail: Model[] = [];
  const visit = (each: Model): void => {
    if (trail.includes(each)) {
      const cycle = [...trail.slice(trail.indexOf(each)), each].map(({ name }) => name).join(" → ");
      throw new PlannerError("MANIFEST_CYCLE", `${problem(each)}: ${cycle}`);
    }
    if (checked.has(each)) return;
    if (trail.length > DEFAULT_LIMITS.depth) {
      throw new PlannerError("LIMIT_DEPTH", `models need each other over ${trail.length} steps`);
    }
    trail.push(each);
    for (const other of needed(each)) visit(other);
    trail.pop();
    checked.add(each);
  };
  visit(model);
}
