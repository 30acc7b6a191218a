/** Row rules that need each other: applying one would apply the other, and it the first again, without end. */
import type { Manifest } from "../manifest/manifest.ts";
import type { Model } from "../manifest/model.ts";
import { builtOn, refuseCycles } from "./cycles.ts";
import { modelsReadBy } from "./models-read.ts";
import type { AccessPolicy } from "./policy.ts";

/** @throws PlannerError MANIFEST_CYCLE */
export function checkRuleCycles(model: Model, manifest: Manifest, policy: AccessPolicy): void {
  const needed = (each: Model): readonly Model[] => [
    ...policy.rowRules(each).flatMap((rule) => [...modelsReadBy(rule.condition, each, manifest)]),
    ...builtOn(each, manifest),
  ];
  refuseCycles(
    model,
    needed,
    (each) => `Detected a cycle in row level access control conditions for model \`${each.name}\``,
  );
}
