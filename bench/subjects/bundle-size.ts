/** What the Worker weighs, in parts. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { isAbsolute, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { kibibytes } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { ROOT } from "../rig/worker-bundle.ts";
import type { Run, Section } from "../subject.ts";

const PLANNER_BUDGET = 120 * 1024;

/** The part of the planner's door that a query needs; the budget is from before it had others. */
const PLANNING = "loadManifest, plan, planCube, originOf";

interface Part {
  readonly name: string;
  /** Matches paths relative to the repository. */
  readonly files: RegExp;
}

const PARTS: readonly Part[] = [
  { name: "planner", files: /^src\/planner\// },
  { name: "api and service", files: /^src\/(api|service)\// },
  { name: "connectors", files: /^src\/connectors\// },
  { name: "results and their encoders", files: /^src\/result\// },
  { name: "guard, settings, entry", files: /^src\/(guard\/|config\.ts|worker\.ts)/ },
  { name: "pg and what it needs", files: /^node_modules\/(pg|pg-[a-z0-9-]+|pgpass|postgres-[a-z]+|split2|xtend)\// },
  { name: "@neondatabase/serverless", files: /^node_modules\/@neondatabase\// },
  { name: "zod", files: /^node_modules\/zod\// },
  { name: "hono", files: /^node_modules\/hono\// },
];

/** What wrangler tells esbuild, as far as it concerns size. */
const LIKE_WRANGLER: BuildOptions = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*", "node:*", ...builtinModules],
  write: false,
  logLevel: "silent",
};

export async function bundleSize(run: Run): Promise<Section> {
  const uploaded = readFileSync(run.bundle.file);
  const { outputs } = JSON.parse(readFileSync(run.bundle.metafile, "utf8")) as Metafile;
  const inputs = Object.entries(outputs).find(([path]) => path.endsWith("worker.js"))?.[1].inputs ?? {};
  const bytesOf = (matches: (path: string) => boolean): number =>
    Object.entries(inputs).reduce((sum, [path, { bytesInOutput }]) => sum + (matches(path) ? bytesInOutput : 0), 0);

  const worker = join(ROOT, "src/worker.ts");
  const { keepNames } = run.bundle;
  const whole = await packed(worker, keepNames);
  const rows: string[][] = [];
  for (const { name, files } of PARTS) {
    const rest = await packed(worker, keepNames, [leaveOut(files)]);
    rows.push([name, kibibytes(bytesOf((path) => files.test(path))), kibibytes(whole.zipped - rest.zipped)]);
  }
  const others = bytesOf((path) => !PARTS.some(({ files }) => files.test(path)));
  rows.push(["wrangler's own code for the platform", kibibytes(others), ""]);
  const joints = uploaded.length - bytesOf(() => true);
  rows.push(["joints between modules", kibibytes(joints), ""]);
  rows.push(["**the Worker**", kibibytes(uploaded.length), kibibytes(zip(uploaded))]);

  const door = join(ROOT, "src/planner/index.ts");
  const planner = await packed(door, keepNames);
  const plans = await packedText(`export { ${PLANNING} } from ${JSON.stringify(door)};`, keepNames);
  const other = await packed(worker, !keepNames);
  return {
    title: "Size of the Worker",
    budgets: [
      {
        what: "What plans, alone, gzip",
        target: `≤ ${PLANNER_BUDGET / 1024} KiB`,
        measured: `${kibibytes(plans.zipped)} KiB`,
        met: plans.zipped <= PLANNER_BUDGET,
      },
    ],
    text: [
      "The Worker as `wrangler deploy --dry-run` builds it from `wrangler.toml` (minified; one file). *Minified* is the part's share of that file by esbuild's own account; *gzip* (level 9) is what the Worker loses when the part is left out, and with it what only it imports (the drivers, for the connectors): parts compressed alone do not add up. KiB.",
      table(["Part", "minified", "gzip"], rows),
      table(
        ["For comparison", "minified", "gzip"],
        [
          ["what plans SQL and cubes, as a file of its own", kibibytes(plans.bytes), kibibytes(plans.zipped)],
          [
            "the same with what substitutes, analyses and validates: all of the planner's door",
            kibibytes(planner.bytes),
            kibibytes(planner.zipped),
          ],
          [
            `the Worker with \`keep_names = ${!keepNames}\` in \`wrangler.toml\` instead of \`${keepNames}\``,
            kibibytes(other.bytes),
            kibibytes(other.zipped),
          ],
        ],
      ),
      `The budget is from when the planner did nothing but plan; with all that stands behind its door today it weighs ${kibibytes(planner.zipped)} KiB.`,
      "Not shown: what of it a request runs. Drivers are evaluated when a connection of their source is opened, yet the engine has to read past them at every start.",
    ].join("\n\n"),
  };
}

interface Packed {
  readonly bytes: number;
  readonly zipped: number;
}

function packed(entry: string, keepNames: boolean, plugins: Plugin[] = []): Promise<Packed> {
  return bundled({ keepNames, plugins, entryPoints: [entry] });
}

function packedText(text: string, keepNames: boolean): Promise<Packed> {
  return bundled({ keepNames, stdin: { contents: text, resolveDir: ROOT } });
}

async function bundled(options: BuildOptions): Promise<Packed> {
  const { outputFiles = [] } = await build({ ...LIKE_WRANGLER, ...options });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { bytes: bytes.length, zipped: zip(bytes) };
}

function zip(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length;
}

/** Leaves files out of a bundle, and with them what only they import. */
function leaveOut(files: RegExp): Plugin {
  return {
    name: "leave-out",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async ({ path, pluginData, ...options }) => {
        if (pluginData === "resolving" || options.kind === "entry-point") return undefined;
        const found = await resolve(path, { ...options, pluginData: "resolving" });
        const isLeftOut = isAbsolute(found.path) && files.test(relative(ROOT, found.path));
        return isLeftOut ? { path, external: true } : undefined;
      });
    },
  };
}
