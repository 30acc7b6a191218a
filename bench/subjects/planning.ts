/** Planning while the code is hot: milliseconds from SQL text and an opened manifest to the finished plan. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Manifest } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { distribution, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { buildPlanner, type Planner } from "../rig/planner-bundle.ts";
import { analystQueries, type NamedQuery, tpchManifest } from "../rig/queries.ts";
import type { Run, Section } from "../subject.ts";

const WARM_UP_ROUNDS = 150;
const ROUNDS = 1_000;
const TARGETS = ["postgres", "duckdb"] as const;
const BUDGET_MS = 0.2;

export async function planning(run: Run): Promise<Section> {
  const { standard, bundle } = run;
  const shipped = await open(run, bundle.keepNames);
  const other = await open(run, !bundle.keepNames);
  const measured = TARGETS.map((target) => measure(shipped, standard.queries, target));
  const analysts = TARGETS.map((target) => measure(shipped, analystQueries(), target));
  const others = TARGETS.map((target) => measure(other, standard.queries, target));
  const medians = measured.map((perQuery) => median(perQuery.flat()));
  const rows = standard.queries.map(({ name, sql }, index) => [
    name,
    String(sql.length),
    ...measured.flatMap((perQuery) => cells(perQuery[index] ?? [])),
  ]);
  return {
    title: "Planning, warm",
    budgets: TARGETS.map((target, index) => {
      const value = medians[index] ?? Number.NaN;
      return {
        what: `Warm plan, median, ${standard.title}, ${target}`,
        target: `≤ ${BUDGET_MS} ms`,
        measured: `${milliseconds(value)} ms`,
        met: value <= BUDGET_MS,
      };
    }),
    text: [
      `\`plan()\` in Node, over ${standard.title} and one manifest of the eight tables (plain columns), opened once; the planner built as it is in the Worker (minified, ${named(bundle.keepNames)}). Every round plans each query once, in turn, so that none has the caches to itself; ${WARM_UP_ROUNDS} rounds are not counted, ${ROUNDS} are. Milliseconds. The 99th percentiles hold the garbage collector's pauses and whatever else ran on the machine.`,
      table(
        ["Query", "Characters", ...TARGETS.flatMap((target) => [`${target} p50`, "p99"])],
        [
          ...rows,
          ["**all**", "", ...measured.flatMap((perQuery) => cells(perQuery.flat()))],
          ["the repository's 60 analyst queries", "", ...analysts.flatMap((perQuery) => cells(perQuery.flat()))],
          [`all, ${named(!bundle.keepNames)}`, "", ...others.flatMap((perQuery) => cells(perQuery.flat()))],
        ],
      ),
      "*Names kept* is esbuild's `keepNames`, which wrangler sets unless `wrangler.toml` says `keep_names = false`: every function and closure is then given its name when it is made.",
      "Not shown: decoding the manifest (once per manifest and isolate), and manifests with calculated columns and relationships, which plan more than these queries say.",
    ].join("\n\n"),
  };
}

function named(keepNames: boolean): string {
  return keepNames ? "names kept" : "names not kept";
}

function cells(samples: readonly number[]): readonly string[] {
  const { p50, p99 } = distribution(samples);
  return [milliseconds(p50), milliseconds(p99)];
}

interface Opened {
  readonly planner: Planner;
  readonly manifest: Manifest;
}

async function open(run: Run, keepNames: boolean): Promise<Opened> {
  const outfile = join(run.directory, `planner-${keepNames ? "named" : "unnamed"}.mjs`);
  await buildPlanner({ outfile, keepNames });
  const planner = (await import(pathToFileURL(outfile).href)) as Planner;
  const manifest = planner.loadManifest(tpchManifest(), 16 * 1024 * 1024);
  if (!manifest.ok) throw manifest.error;
  return { planner, manifest: manifest.value };
}

/** Per query its samples in milliseconds. A query that is refused fails the benchmark: refusing is fast. */
function measure(
  { planner, manifest }: Opened,
  queries: readonly NamedQuery[],
  source: DataSource,
): readonly (readonly number[])[] {
  const samples: number[][] = queries.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [index, { name, sql }] of queries.entries()) {
      const started = performance.now();
      const outcome = planner.plan({
        sql,
        manifest,
        source,
        session: new Map(),
        options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
      });
      const took = performance.now() - started;
      if (!outcome.ok) throw new Error(`${name} is refused on ${source}: ${outcome.error.message}`);
      if (round >= 0) samples[index]?.push(took);
    }
  }
  return samples;
}
