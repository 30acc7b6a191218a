/** The Worker as `wrangler deploy` would upload it: built by `wrangler deploy --dry-run`, which uploads nothing. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MADE_FROM = ["src", "wrangler.toml", "package.json", "package-lock.json"];
/** A machine that is busy with other things takes a minute. */
const PATIENCE_MS = 180_000;

/** Builds the Worker into `directory/worker.js`. Rejects with what wrangler says. */
export async function buildWorker(directory: string, words: readonly string[] = []): Promise<void> {
  const wrangler = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  const { CLOUDFLARE_ENV: _elsewhere, ...environment } = process.env;
  try {
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", directory, ...words], {
      cwd: ROOT,
      env: { ...environment, WRANGLER_SEND_METRICS: "false", CI: "true" },
      timeout: PATIENCE_MS,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`The Worker could not be built.\n${stdout}${stderr}`.trim());
  }
}

/** The built Worker, `dist/worker.js`; built again when anything that it is made from is newer. */
export async function freshWorker(): Promise<string> {
  const directory = join(ROOT, "dist");
  const file = join(directory, "worker.js");
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > newestOf(MADE_FROM)) return file;
  mkdirSync(directory, { recursive: true });
  // Two that start at once each build their own, and neither reads half a file.
  const begun = new Date();
  const own = mkdtempSync(join(directory, "build-"));
  try {
    await buildWorker(own);
    // What is changed while it is being built is not in it.
    utimesSync(join(own, "worker.js"), begun, begun);
    renameSync(join(own, "worker.js"), file);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return file;
}

/** When the youngest of files and of those below directories was changed. */
function newestOf(names: readonly string[]): number {
  const files = names.flatMap((name) => {
    const path = join(ROOT, name);
    return statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((each) => join(path, String(each)))
      : [path];
  });
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}
