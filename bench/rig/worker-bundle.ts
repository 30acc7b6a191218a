/** The Worker as it is uploaded, and what is known about the bundle. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unstable_readConfig } from "wrangler";
import { buildWorker as build } from "../../scripts/service/worker-bundle.ts";

export interface WorkerBundle {
  /** Path of the one JavaScript file. */
  readonly file: string;
  /** Path of esbuild's account of what is in it. */
  readonly metafile: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Whether functions keep their names, which costs a call for every closure that is made. */
  readonly keepNames: boolean;
  /** What is bundled in place of modules, as absolute paths. */
  readonly alias: Readonly<Record<string, string>>;
}

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export async function buildWorker(directory: string): Promise<WorkerBundle> {
  const config = unstable_readConfig({ config: join(ROOT, "wrangler.toml") }, { hideWarnings: true });
  await build(directory, ["--metafile", join(directory, "metafile.json")]);
  return {
    file: join(directory, "worker.js"),
    metafile: join(directory, "metafile.json"),
    compatibilityDate: config.compatibility_date ?? "",
    compatibilityFlags: config.compatibility_flags,
    keepNames: config.keep_names ?? true,
    alias: Object.fromEntries(
      Object.entries(config.alias ?? {}).map(([name, file]) => [name, join(ROOT, String(file))]),
    ),
  };
}
