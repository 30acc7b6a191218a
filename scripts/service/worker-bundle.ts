/** The Workers as `wrangler deploy` would upload them: built by `wrangler deploy --dry-run`, which uploads nothing. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildingWith, DIALECTS } from "./dialects.ts";
import { writeEngineParts } from "./engine-parts.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MADE_FROM = ["src", "wrangler.toml", "wrangler.connectors.toml", "package.json", "package-lock.json"];

/** The API, and what it reaches sources by: the name of each one's file, and its configuration beside `package.json`. */
export const WORKERS = {
  api: { file: "worker.js", configuration: "wrangler.toml" },
  connectors: { file: "connectors-worker.js", configuration: "wrangler.connectors.toml" },
} as const;
export type WorkerName = keyof typeof WORKERS;

/** The one that a deployment has or has not; beside its file stand the modules of WASM that it is made with. */
export const FILES_WORKER = { file: "files-worker.js", configuration: "wrangler.files.toml" } as const;
/** How its engine's parts are made. */
const MADE_BY = "scripts/service";
/** A machine that is busy with other things takes a minute. */
const PATIENCE_MS = 180_000;

/** Builds one of `WORKERS` into its file in `directory`; the API's with these dialects alone. Rejects with what wrangler says. */
export async function buildWorker(
  name: WorkerName | "files",
  directory: string,
  {
    words = [],
    dialects = DIALECTS,
  }: { readonly words?: readonly string[]; readonly dialects?: readonly string[] } = {},
): Promise<void> {
  const { configuration } = name === "files" ? FILES_WORKER : WORKERS[name];
  const wrangler = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  const { CLOUDFLARE_ENV: _elsewhere, ...environment } = process.env;
  try {
    const command = [wrangler, "deploy", "--dry-run", "--config", configuration, "--outdir", directory, ...words];
    await promisify(execFile)(process.execPath, command, {
      cwd: ROOT,
      env: { ...environment, ...buildingWith(dialects), WRANGLER_SEND_METRICS: "false", CI: "true" },
      timeout: PATIENCE_MS,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`The Worker could not be built.\n${stdout}${stderr}`.trim());
  }
}

/** The built Workers, in `dist/`; built again when anything that they are made from is newer. */
export async function freshWorkers(): Promise<Readonly<Record<WorkerName, string>>> {
  const directory = join(ROOT, "dist");
  const files = { api: join(directory, WORKERS.api.file), connectors: join(directory, WORKERS.connectors.file) };
  const names = Object.keys(WORKERS) as WorkerName[];
  const built = names.map((name) => statSync(files[name], { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (Math.min(...built) > newestOf(MADE_FROM)) return files;
  mkdirSync(directory, { recursive: true });
  // Two that start at once each build their own, and neither reads half a file.
  const begun = new Date();
  const own = mkdtempSync(join(directory, "build-"));
  try {
    await Promise.all(names.map((name) => buildWorker(name, join(own, name))));
    for (const name of names) {
      const file = join(own, name, WORKERS[name].file);
      // A change that is made during the build is not in it.
      utimesSync(file, begun, begun);
      renameSync(file, files[name]);
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return files;
}

/** The directory of the files Worker, which holds nothing else; built again as the others are. */
export async function freshFilesWorker(): Promise<string> {
  const directory = join(ROOT, "dist/files");
  const file = join(directory, FILES_WORKER.file);
  const newest = newestOf([...MADE_FROM, FILES_WORKER.configuration, MADE_BY]);
  if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > newest) return directory;
  const begun = new Date();
  const own = mkdtempSync(join(ROOT, "dist/build-"));
  try {
    await writeEngineParts();
    await buildWorker("files", own);
    utimesSync(join(own, FILES_WORKER.file), begun, begun);
    rmSync(directory, { recursive: true, force: true });
    renameSync(own, directory);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return directory;
}

/** The files of the files Worker in `directory`, as paths from there, its script first. */
export function filesOfFilesWorker(directory: string, within: string): readonly [string, ...string[]] {
  const modules = readdirSync(join(directory, within)).filter((name) => name.endsWith(".wasm"));
  return [`${within}/${FILES_WORKER.file}`, ...modules.map((name) => `${within}/${name}`)];
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
