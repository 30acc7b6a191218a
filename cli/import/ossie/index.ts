/** Apache Ossie: the core specification 0.2, as YAML or JSON. */
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { readItem } from "../read-item.ts";
import { readDataset, readRelationship } from "./datasets.ts";
import { readMetric } from "./metrics.ts";
import { storedManifest } from "./stored-manifest.ts";

const MODEL = {
  mapped: ["name", "description", "ai_context", "datasets", "relationships", "metrics", "custom_extensions"],
  silent: ["version", "dialects", "vendors"],
};

/** Throws `FaultsInFiles` and `UsageError`. */
export function importOssie(path: string, shown: string, draft: Draft): void {
  const root = readItem(path, shown);
  const models = root.item("semantic_model")?.elements() ?? [];
  const [first, ...others] = models.length > 0 ? models : [root];
  if (first === undefined) return;
  for (const other of others) {
    draft.report.refuse(`semantic model "${other.text("name")}"`, "Import each semantic model by itself.", other.at());
  }
  readModel(first, draft);
}

function readModel(item: Item, draft: Draft): void {
  const object = `semantic model "${item.text("name") ?? ""}"`;
  if (!hasKnownMembers(item, object, MODEL, draft.report)) return;
  const stored = storedManifest(item, draft.source);
  if (stored === "changed") {
    const reason =
      "The file was changed after siskin export, and its extension holds rules and columns that the file does not show.";
    draft.report.refuse(object, reason, item.at("custom_extensions"));
    return;
  }
  if (stored !== undefined) {
    draft.take(stored);
    return;
  }
  for (const extension of item.items("custom_extensions")) {
    draft.report.leaveOut(
      object,
      `The extension of ${extension.text("vendor_name")} has no counterpart.`,
      extension.at(),
    );
  }
  draft.description = item.text("description");
  const context = item.get("ai_context");
  if (context !== undefined && context !== null) draft.properties = { ai_context: context };
  for (const dataset of item.items("datasets")) readDataset(dataset, draft);
  for (const relationship of item.items("relationships")) readRelationship(relationship, draft);
  for (const metric of item.items("metrics")) readMetric(metric, draft);
}
