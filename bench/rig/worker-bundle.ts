/** The Worker as `wrangler deploy` would upload it: built by `wrangler deploy --dry-run`, which uploads nothing. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unstable_readConfig } from "wrangler";

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
  const wrangler = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  await promisify(execFile)(
    process.execPath,
    [wrangler, "deploy", "--dry-run", "--outdir", directory, "--metafile", join(directory, "metafile.json")],
    { cwd: ROOT, env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" }, timeout: 60_000 },
  );
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
