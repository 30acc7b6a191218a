/** Planning while the code is hot: milliseconds from SQL text and an opened manifest to the finished plan. */
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { distribution, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { jsonMilliseconds } from "../rig/json-time.ts";
import type { Planner } from "../rig/planner-bundle.ts";
import { analystQueries, type NamedQuery, tpchManifest } from "../rig/queries.ts";
import { openManifest, openPlanner, ROUNDS, WARM_UP_ROUNDS, warmPlans } from "../rig/warm-plans.ts";
import { type Run, ratioBudget, type Section } from "../subject.ts";

const TARGETS = ["postgres", "duckdb", "mysql"] as const;
/** A query that is refused is no plan: MySQL and MariaDB refuse three of these. */
const ANALYST_TARGETS = ["postgres", "duckdb"] as const;
/** Over reading the JSON of the manifest of eight tables. */
const BUDGET = 15;
const READINGS = 2_000;
/**
 * Further targets that are planned for in the same way: a row for each. Files are planned for as DuckDB's databases
 * are.
 */
const FURTHER_TARGETS = DATA_SOURCES.filter(
  (source) => !source.endsWith("_file") && !TARGETS.some((target) => target === source),
);
/** Other work on the host makes all of it slower for minutes: everything is measured so often, and the least is what a plan takes. */
const PASSES = 3;

export async function planning(run: Run): Promise<Section> {
  const { standard, bundle } = run;
  const shipped = await openPlanner(run, bundle.keepNames);
  const other = await openPlanner(run, !bundle.keepNames);
  const sources = [...TARGETS, ...FURTHER_TARGETS];
  const passes = Array.from({ length: PASSES }, () =>
    sources.map((source) => measureWhatIsPlanned(shipped, standard.queries, source)),
  );
  const least = sources.map((_, index) => leastOf(passes.flatMap((pass) => pass[index] ?? [])));
  const measured = least.slice(0, TARGETS.length).map(({ target, samples }) => {
    // A row of the table is of one query.
    if (samples.length !== standard.queries.length) throw new Error(`${target} refuses one of ${standard.title}`);
    return samples;
  });
  const further = least.slice(TARGETS.length);
  const analysts = ANALYST_TARGETS.map((target) => measure(shipped, analystQueries(), target));
  const others = TARGETS.map((target) => measure(other, standard.queries, target));
  const slowest = least.reduce((most, each) =>
    median(each.samples.flat()) > median(most.samples.flat()) ? each : most,
  );
  const reading = jsonMilliseconds(tpchManifest(), READINGS);
  const rows = standard.queries.map(({ name, sql }, index) => [
    name,
    String(sql.length),
    ...measured.flatMap((perQuery) => cells(perQuery[index] ?? [])),
  ]);
  return {
    title: "Planning, warm",
    budgets: [
      ratioBudget(
        `Warm plan, median of ${standard.title}, the slowest dialect (${slowest.target}), over JSON.parse of its manifest`,
        median(slowest.samples.flat()) / reading,
        BUDGET,
        "see which step costs by `npm run bench -- planning --cpu-prof`, and compare with the commit before (`npm run bench -- --against`)",
      ),
    ],
    text: [
      `\`plan()\` in Node, over ${standard.title} and one manifest of the eight tables (plain columns), opened once; the planner built as it is in the Worker (minified, ${named(bundle.keepNames)}). Every round plans each query once, in turn, so that none has the caches to itself; ${WARM_UP_ROUNDS} rounds are not counted, ${ROUNDS} are; of each dialect over these queries ${PASSES} passes of ${PASS_ROUNDS}, minutes apart, of which the one with the least median is shown: other work on the host slows all of it for minutes. Milliseconds. The 99th percentiles hold the garbage collector's pauses and whatever else ran on the machine.`,
      table(
        ["Query", "Characters", ...TARGETS.flatMap((target) => [`${target} p50`, "p99"])],
        [
          ...rows,
          ["**all**", "", ...measured.flatMap((perQuery) => cells(perQuery.flat()))],
          [
            "the repository's 60 analyst queries",
            "",
            ...analysts.flatMap((perQuery) => cells(perQuery.flat())),
            "",
            "",
          ],
          [`all, ${named(!bundle.keepNames)}`, "", ...others.flatMap((perQuery) => cells(perQuery.flat()))],
        ],
      ),
      `The other dialects, over those of ${standard.title} that each of them plans, as in the Worker:`,
      table(
        ["Dialect", "Queries", "p50", "p99"],
        further.map(({ target, samples }) => [target, String(samples.length), ...cells(samples.flat())]),
      ),
      "*Names kept* is esbuild's `keepNames`, which wrangler sets unless `wrangler.toml` says `keep_names = false`: every function and closure is then given its name when it is made.",
      "Not shown: opening the manifest (once per manifest and isolate), and what calculated columns and rules add: see *Manifests*.",
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

/** Per query its samples in milliseconds. */
function measure(
  planner: Planner,
  queries: readonly NamedQuery[],
  source: DataSource,
  rounds = ROUNDS,
): readonly (readonly number[])[] {
  const [samples = []] = warmPlans({
    planner,
    queries,
    rounds,
    variants: [{ manifest: openManifest(planner, tpchManifest()), source }],
  });
  return samples;
}

const PASS_ROUNDS = Math.ceil(ROUNDS / PASSES);

interface Measured {
  readonly target: DataSource;
  /** Per query its samples in milliseconds. */
  readonly samples: readonly (readonly number[])[];
}

function leastOf([first, ...others]: readonly Measured[]): Measured {
  if (first === undefined) throw new Error("nothing was measured");
  const of = ({ samples }: Measured): number => median(samples.flat());
  return others.reduce((least, each) => (of(each) < of(least) ? each : least), first);
}

function measureWhatIsPlanned(planner: Planner, queries: readonly NamedQuery[], source: DataSource): Measured {
  const manifest = openManifest(planner, tpchManifest());
  const options = { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" } as const;
  const planned = queries.filter(({ sql }) => planner.plan({ sql, manifest, source, session: new Map(), options }).ok);
  return { target: source, samples: measure(planner, planned, source, PASS_ROUNDS) };
}
