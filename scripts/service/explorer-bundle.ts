/** Builds the pages `/explore`, `/docs` and `/docs/guide`: scripts and style sheets with digests in their names, and the HTML that names them. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { digestOf } from "./digest.ts";
import { guideHtml, type PageFiles, renderedGuides } from "./guides.ts";
import { MCP_APP_FILE, mcpAppHtml } from "./mcp-app-html.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MADE_FROM = [
  "src/explorer",
  "scripts/service/explorer-bundle.ts",
  "scripts/service/guides.ts",
  "scripts/service/mcp-app-html.ts",
  "docs",
  "package-lock.json",
];
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

/** The pages that have code of their own, by the name of their files. */
const ENTRIES = {
  explorer: "src/explorer/main.tsx",
  reference: "src/explorer/reference/main.tsx",
  guide: "src/explorer/guide/main.ts",
} as const;

const SHARED: BuildOptions = {
  bundle: true,
  minify: true,
  target: ["chrome120", "firefox120", "safari17"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  absWorkingDir: ROOT,
};

async function buildExplorer(directory: string): Promise<void> {
  const { metafile } = await build({
    ...SHARED,
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(ROOT, file)])),
    outdir: directory,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    metafile: true,
  });
  const filesOf = (entry: string): PageFiles => {
    const found = Object.entries(metafile?.outputs ?? {}).find(([, { entryPoint }]) => entryPoint === entry);
    if (found === undefined) throw new Error(`esbuild wrote no script for ${entry}.`);
    const [script, { cssBundle }] = found;
    if (cssBundle === undefined) throw new Error(`esbuild wrote no style sheet for ${entry}.`);
    return { script: basename(script), style: basename(cssBundle) };
  };
  writeFileSync(join(directory, "index.html"), html("Siskin", filesOf(ENTRIES.explorer)));
  writeFileSync(join(directory, "reference.html"), html("Siskin API", filesOf(ENTRIES.reference)));
  writeFileSync(join(directory, MCP_APP_FILE), await mcpAppHtml(SHARED, join(ROOT, "src/explorer/mcp-app/main.tsx")));
  const pages = renderedGuides();
  for (const page of pages) {
    writeFileSync(join(directory, `guide-${page.name}.html`), guideHtml(page, pages, filesOf(ENTRIES.guide)));
    for (const { name, path } of page.pictures) copyFileSync(path, join(directory, name));
  }
}

const html = (title: string, { script, style }: PageFiles): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/explore/assets/${style}">
<script type="module" src="/explore/assets/${script}"></script>
</head>
<body><div id="app"><noscript>This page needs JavaScript. The API does not: see /redoc.</noscript></div></body>
</html>
`;
