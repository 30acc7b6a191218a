/** The manifests in JSON files of the repository. */
import { globSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Each with the name of its file. Manifests are found at any depth, also as base64 texts. */
export function committedManifests(): readonly (readonly [name: string, manifest: object])[] {
  return globSync("{test,examples,docs}/**/*.json", { cwd: ROOT, exclude: ["**/node_modules/**"] }).flatMap((file) => {
    const manifests = manifestsIn(JSON.parse(readFileSync(`${ROOT}${file}`, "utf8")));
    return manifests.map((manifest, index) => [`${file} ${index}`, manifest] as const);
  });
}

function manifestsIn(value: unknown): readonly object[] {
  if (typeof value === "string") {
    if (!/^[\w+/=-]{40,}$/.test(value)) return [];
    try {
      return manifestsIn(JSON.parse(Buffer.from(value, "base64").toString()));
    } catch {
      return [];
    }
  }
  if (typeof value !== "object" || value === null) return [];
  const isManifest = !Array.isArray(value) && "schema" in value && "catalog" in value && "models" in value;
  return isManifest ? [value] : Object.values(value).flatMap(manifestsIn);
}
