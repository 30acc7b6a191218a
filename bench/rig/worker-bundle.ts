/** The Worker as it is uploaded, and facts about its bundle. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unstable_readConfig } from "wrangler";
import { buildWorker as build, WORKERS } from "../../scripts/service/worker-bundle.ts";

export interface WorkerBundle {
  /** Path of the one JavaScript file. */
  readonly file: string;
  /** Path of the Worker of the connectors, to which the other one is bound. */
  readonly connectors: string;
  /** Path of esbuild's metafile of the API Worker. */
  readonly metafile: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Whether functions keep their names, which costs a call for every closure that is made. */
  readonly keepNames: boolean;
  /** Modules bundled in place of those with the drivers, as absolute paths. */
  readonly alias: Readonly<Record<string, string>>;
}

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export async function buildWorker(directory: string): Promise<WorkerBundle> {
  const config = unstable_readConfig({ config: join(ROOT, WORKERS.api.configuration) }, { hideWarnings: true });
  const drivers = unstable_readConfig({ config: join(ROOT, WORKERS.connectors.configuration) }, { hideWarnings: true });
  await Promise.all([
    build("api", join(directory, "api"), { words: ["--metafile", join(directory, "metafile.json")] }),
    build("connectors", join(directory, "connectors")),
  ]);
  return {
    file: join(directory, "api", WORKERS.api.file),
    connectors: join(directory, "connectors", WORKERS.connectors.file),
    metafile: join(directory, "metafile.json"),
    compatibilityDate: config.compatibility_date ?? "",
    compatibilityFlags: config.compatibility_flags,
    keepNames: config.keep_names ?? true,
    alias: Object.fromEntries(
      Object.entries(drivers.alias ?? {}).map(([name, file]) => [name, join(ROOT, String(file))]),
    ),
  };
}
