/** The Workers as `wrangler deploy` would upload them: built by `wrangler deploy --dry-run`, which uploads nothing. */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildingWith, DIALECTS } from "./dialects.ts";
import { digestOf } from "./digest.ts";
import { writeEngineParts } from "./engine-parts.ts";
import { freshExplorer } from "./explorer-bundle.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MADE_FROM = ["src", "wrangler.toml", "package.json", "package-lock.json"];

/**
 * The API Worker, the Worker by which it reaches sources, and the Worker that speaks the Model Context Protocol: the name of each file, and its configuration next to
 * `package.json`.
 */
export const WORKERS = {
  api: { file: "worker.js", configuration: "wrangler.toml" },
  connectors: { file: "connectors-worker.js", configuration: "src/wrangler.connectors.toml" },
  mcp: { file: "mcp-worker.js", configuration: "src/wrangler.mcp.toml" },
} as const;
export type WorkerName = keyof typeof WORKERS;

/** The optional files Worker; the WASM modules that belong to it are in the same directory as its file. */
export const FILES_WORKER = { file: "files-worker.js", configuration: "src/wrangler.files.toml" } as const;
/** The code that creates its engine's parts. */
const MADE_BY = "scripts/service";
/** A busy machine takes a minute. */
const PATIENCE_MS = 180_000;

/**
 * Builds one of `WORKERS` into its file in `directory`; the API Worker with only these dialects. Rejects with wrangler's output.
 */
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
  // Static assets of its configuration.
  if (name === "api") await freshExplorer();
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

/** The built Workers in `dist/`; built again when the digest of their inputs has changed. */
export async function freshWorkers(): Promise<Readonly<Record<WorkerName, string>>> {
  const directory = join(ROOT, "dist");
  const names = Object.keys(WORKERS) as WorkerName[];
  const files = {
    api: join(directory, WORKERS.api.file),
    connectors: join(directory, WORKERS.connectors.file),
    mcp: join(directory, WORKERS.mcp.file),
  };
  const inputs = digestOf(MADE_FROM);
  const digest = join(directory, "workers.digest");
  if (names.every((name) => existsSync(files[name])) && isSame(digest, inputs)) return files;
  mkdirSync(directory, { recursive: true });
  // Two processes that start at once each build their own copy, and neither reads an incomplete file.
  const own = mkdtempSync(join(directory, "build-"));
  try {
    await Promise.all(names.map((name) => buildWorker(name, join(own, name))));
    // Old files with a new digest would be kept: so the digest is deleted first and written last.
    rmSync(digest, { force: true });
    for (const name of names) renameSync(join(own, name, WORKERS[name].file), files[name]);
    writeFileSync(join(own, "digest"), inputs);
    renameSync(join(own, "digest"), digest);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return files;
}

/** The directory of the files Worker, which contains nothing else; rebuilt as the other Workers are. */
export async function freshFilesWorker(): Promise<string> {
  const directory = join(ROOT, "dist/files");
  const inputs = digestOf([...MADE_FROM, FILES_WORKER.configuration, MADE_BY]);
  if (existsSync(join(directory, FILES_WORKER.file)) && isSame(join(directory, "digest"), inputs)) return directory;
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const own = mkdtempSync(join(ROOT, "dist/build-"));
  try {
    await writeEngineParts();
    await buildWorker("files", own);
    writeFileSync(join(own, "digest"), inputs);
    rmSync(directory, { recursive: true, force: true });
    renameSync(own, directory);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return directory;
}

const isSame = (file: string, digest: string): boolean => existsSync(file) && readFileSync(file, "utf8") === digest;

/** The files of the files Worker in `directory`, as relative paths, its script first. */
export function filesOfFilesWorker(directory: string, within: string): readonly [string, ...string[]] {
  const modules = readdirSync(join(directory, within)).filter((name) => name.endsWith(".wasm"));
  return [`${within}/${FILES_WORKER.file}`, ...modules.map((name) => `${within}/${name}`)];
}
