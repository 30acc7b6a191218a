/** Builds the page `/explore`: its scripts and style sheet, with digests in their names, and the HTML that names them. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { digestOf } from "./digest.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MADE_FROM = ["src/explorer", "scripts/service/explorer-bundle.ts", "package-lock.json"];
/** A directory of nothing else: static assets of a deployment. */
const EXPLORER_DIRECTORY = "dist/explorer";

/** The directory of the page; built again when the digest of its inputs has changed. */
export async function freshExplorer(): Promise<string> {
  const directory = join(ROOT, EXPLORER_DIRECTORY);
  const digestFile = join(ROOT, "dist/explorer.digest");
  const digest = digestOf(MADE_FROM);
  const isFresh = existsSync(directory) && existsSync(digestFile) && readFileSync(digestFile, "utf8") === digest;
  if (isFresh) return directory;
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const own = mkdtempSync(join(ROOT, "dist/build-"));
  try {
    await buildExplorer(own);
    // The old digest is deleted first and the new one written last: a build that is cut is not taken for a whole one.
    rmSync(digestFile, { force: true });
    rmSync(directory, { recursive: true, force: true });
    renameSync(own, directory);
    writeFileSync(digestFile, digest);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return directory;
}

async function buildExplorer(directory: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: { explorer: join(ROOT, "src/explorer/main.tsx") },
    outdir: directory,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: ["chrome120", "firefox120", "safari17"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    absWorkingDir: ROOT,
  });
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === "src/explorer/main.tsx");
  if (entry === undefined) throw new Error("esbuild wrote no script for src/explorer/main.tsx.");
  const [script, { cssBundle }] = entry;
  if (cssBundle === undefined) throw new Error("esbuild wrote no style sheet for src/explorer/explorer.css.");
  writeFileSync(join(directory, "index.html"), html(basename(script), basename(cssBundle)));
}

const html = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Siskin</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/explore/assets/${style}">
<script type="module" src="/explore/assets/${script}"></script>
</head>
<body><div id="app"><noscript>This page needs JavaScript. The API does not: see /docs.</noscript></div></body>
</html>
`;
