/** The Worker's bundle size, in parts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { conditionsWith, DIALECTS } from "../../scripts/service/dialects.ts";
import { kibibytes } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { bytesOf, leaveOut, type Packed, packed, packedText, zip } from "../rig/packed.ts";
import { ROOT } from "../rig/worker-bundle.ts";
import type { Budget, Run, Section } from "../subject.ts";

/** KiB with gzip. */
const BUDGETS = { one: 200, all: 400 } as const;

const REASON =
  "a tenth of the text are sentences of errors and hints, another tenth names of functions, types and keywords; leave dialects out (`npm run deploy -- --dialects …`)";

/** The part of the planner's door that a query needs. */
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
  { name: "query cache", files: /^src\/cache\// },
  { name: "guard, settings, entry", files: /^src\/(guard\/|config\/|[a-z-]+\.ts)/ },
  { name: "jose", files: /^node_modules\/jose\// },
  { name: "flatbuffers", files: /^node_modules\/flatbuffers\// },
  { name: "zod", files: /^node_modules\/zod\// },
  { name: "hono", files: /^node_modules\/hono\// },
];

/** The planner's modules, by rooms of `src/planner/`. */
const ROOMS: readonly (Part & { readonly what: string })[] = [
  { name: "syntax", files: room("syntax"), what: "lexer, parser, tree, printer; hints for text that does not parse" },
  { name: "binding", files: room("binding"), what: "names, types, grouping, nullability, lineage; what is not found" },
  { name: "functions", files: room("functions"), what: "the catalogue, what is forbidden, synonyms of other dialects" },
  { name: "manifest, expand, legacy", files: room("manifest|expand|legacy"), what: "models, relationships, metrics" },
  { name: "cubes", files: room("cubes"), what: "structured queries" },
  { name: "access", files: room("access"), what: "row and column rules, and the fences before them" },
  { name: "checks", files: room("checks"), what: "warnings of repeated and lost rows" },
  { name: "lowering", files: room("lowering"), what: "rewrites that targets share" },
  { name: "dialects", files: room("dialects/[a-z]+"), what: "what each target says otherwise, told apart below" },
  {
    name: "the rest",
    files: /^src\/planner\/(?:[^/]+|(?:dialects|substitute|analyse)\/[^/]+)$/,
    what: "types, dates, the door",
  },
];

function room(folders: string): RegExp {
  return new RegExp(`^src/planner/(?:${folders})/`);
}

export async function bundleSize(run: Run): Promise<Section> {
  const uploaded = readFileSync(run.bundle.file);
  const { outputs } = JSON.parse(readFileSync(run.bundle.metafile, "utf8")) as Metafile;
  const inputs = Object.entries(outputs).find(([path]) => path.endsWith("worker.js"))?.[1].inputs ?? {};
  const worker = join(ROOT, "src/worker.ts");
  const { keepNames } = run.bundle;
  const whole = await packed(worker, keepNames);
  const rows: string[][] = [];
  for (const { name, files } of PARTS) {
    const rest = await packed(worker, keepNames, [leaveOut(files)]);
    rows.push([name, kibibytes(bytesOf(inputs, files)), kibibytes(whole.zipped - rest.zipped)]);
  }
  const all = bytesOf(inputs, /^/);
  const others = all - PARTS.reduce((sum, { files }) => sum + bytesOf(inputs, files), 0);
  rows.push(["wrangler's own code for the platform", kibibytes(others), ""]);
  const joints = uploaded.length - all;
  rows.push(["joints between modules", kibibytes(joints), ""]);
  rows.push(["**the Worker**", kibibytes(uploaded.length), kibibytes(zip(uploaded))]);

  const door = join(ROOT, "src/planner/index.ts");
  const planner = await packed(door, keepNames);
  const plansWith = (dialects: readonly string[]): Promise<Packed> =>
    packedText(`export { ${PLANNING} } from ${JSON.stringify(door)};`, keepNames, conditionsWith(dialects));
  const plans = await plansWith(DIALECTS);
  const dialects = await Promise.all(
    DIALECTS.map(async (name) => {
      const alone = await plansWith([name]);
      const without = await plansWith(DIALECTS.filter((each) => each !== name));
      const sizes = [alone.bytes, alone.zipped, plans.bytes - without.bytes, plans.zipped - without.zipped];
      return { name, zipped: alone.zipped, row: [name, ...sizes.map(kibibytes)] };
    }),
  );
  const largest = dialects.reduce((most, each) => (each.zipped > most.zipped ? each : most));
  const rooms = ROOMS.map(({ name, files, what }) => {
    const bytes = plans.bytesOf(files);
    return [name, what, kibibytes(bytes), kibibytes((plans.zipped * bytes) / plans.bytes)];
  });
  const other = await packed(worker, !keepNames);
  return {
    title: "Size of the Worker",
    budgets: [
      budget(`The planner with one dialect, gzip, the largest (${largest.name})`, largest.zipped, BUDGETS.one),
      budget("The planner with all dialects, gzip", plans.zipped, BUDGETS.all),
    ],
    text: [
      "The Worker as `wrangler deploy --dry-run` builds it from `wrangler.toml` (minified; one file). *Minified* is the part's share of that file by esbuild's own account; *gzip* (level 9) is what the Worker loses when the part is left out, and with it what only it imports: parts compressed alone do not add up. KiB.",
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
      `The planner by its rooms; gzip in proportion, since it shrinks each of them to about a third:`,
      table(["Room", "what it holds", "minified", "gzip"], rooms),
      "By dialect: what plans with this one alone (`npm run deploy -- --dialects NAME`), and what all of it loses when this one is left out. Rewrites that several need are in `lowering`, and stay.",
      table(
        ["Dialect", "alone, minified", "alone, gzip", "adds, minified", "adds, gzip"],
        dialects.map(({ row }) => row),
      ),
      "Not shown: what of it a request runs, which the engine has to read past at every start all the same; and the Worker of the connectors, whose drivers no plan waits for (below).",
    ].join("\n\n"),
  };
}

function budget(what: string, bytes: number, most: number): Budget {
  const measured = `${kibibytes(bytes)} KiB`;
  return { what, target: `≤ ${most} KiB`, measured, met: bytes <= most * 1024, reason: REASON };
}
