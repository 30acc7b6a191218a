/** The part of an imported manifest that the planner accepts. Every object that it refuses is reported and removed. */
import { checkOfManifest, readManifestText } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import type { ImportedManifest } from "./manifest.ts";
import type { Origins } from "./origins.ts";
import { removed } from "./removal.ts";
import type { ImportReport } from "./report.ts";

const LARGEST = 48 * 1024 * 1024;

interface Place {
  readonly source: DataSource;
  readonly origins: Origins;
  readonly report: ImportReport;
}

/** Undefined if the manifest is wrong as a whole, which is reported. */
export function usablePart(given: ImportedManifest, { source, origins, report }: Place): ImportedManifest | undefined {
  let manifest = given;
  // Each round removes an object, so the rounds end.
  for (;;) {
    const read = readManifestText(JSON.stringify(manifest), LARGEST);
    if (!read.ok) {
      report.refuse("the model", read.error.message);
      return undefined;
    }
    const checked = checkOfManifest({ manifest: read.value, source, limits: DEFAULT_LIMITS, unknownFunctions: "warn" });
    if (!checked.ok) {
      report.refuse("the model", checked.error.message);
      return undefined;
    }
    const { problems } = checked.value;
    if (problems.length === 0) return manifest;
    const before = manifest;
    for (const { object, message } of problems) {
      const next = removed(manifest, object);
      if (next === manifest) continue;
      report.refuse(object, message, origins.of(object));
      manifest = next;
    }
    if (manifest !== before) continue;
    for (const { object, message } of problems) report.refuse(object, message, origins.of(object));
    return undefined;
  }
}
