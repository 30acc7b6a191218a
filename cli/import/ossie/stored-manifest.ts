/** The manifest that `siskin export` put into a file of Ossie, so that an import gives the same one again. */
import { isDeepStrictEqual } from "node:util";
import type { DataSource } from "../../../src/planner/plan.ts";
import { EXTENSION, ossieOf } from "../../export/ossie.ts";
import type { Item } from "../item.ts";
import type { ImportedManifest } from "../manifest.ts";

/** `changed`: the rest of the file is no longer the export of the manifest. */
export function storedManifest(item: Item, source: DataSource): ImportedManifest | "changed" | undefined {
  const extension = item.items("custom_extensions").find((each) => each.text("vendor_name") === EXTENSION);
  if (extension === undefined) return undefined;
  let manifest: ImportedManifest;
  try {
    manifest = JSON.parse(extension.text("data") ?? "") as ImportedManifest;
    const { document } = ossieOf(manifest, String(item.get("name")), source);
    const [written] = document.semantic_model;
    return isDeepStrictEqual(plain(written), plain(item.value)) ? whole(manifest) : "changed";
  } catch {
    return "changed";
  }
}

/** A manifest may leave out lists that are empty. */
const whole = (manifest: ImportedManifest): ImportedManifest => ({
  ...manifest,
  relationships: manifest.relationships ?? [],
  cubes: manifest.cubes ?? [],
});

/** Without members that are undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
