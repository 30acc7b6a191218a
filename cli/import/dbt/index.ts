/** dbt: `target/semantic_manifest.json`, with the types of `catalog.json` where it is beside it. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Draft } from "../draft.ts";
import { readItem } from "../read-item.ts";
import { readCatalog } from "./catalog.ts";
import { joinModels } from "./joins.ts";
import { Metrics } from "./metrics.ts";
import { addSavedQueries } from "./saved-queries.ts";
import { readSemanticModel } from "./semantic-model.ts";

/** `path`: the file, or the directory `target`. Throws `FaultsInFiles`. */
export function importDbt(path: string, shown: string, draft: Draft): void {
  const isDirectory = statSync(path).isDirectory();
  const file = isDirectory ? join(path, "semantic_manifest.json") : path;
  const root = readItem(file, isDirectory ? join(shown, "semantic_manifest.json") : shown);
  const types = readCatalog(join(dirname(file), "catalog.json"));
  const models = root.items("semantic_models").flatMap((item) => readSemanticModel(item, draft, types) ?? []);
  const paths = joinModels(models, draft);
  new Metrics(draft, models, paths).add(root.items("metrics"));
  addSavedQueries(root.items("saved_queries"), models, draft);
}
