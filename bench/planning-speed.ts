/**
 * `npm run planning-speed`: warm plans of this tree and of an older commit in one process, by turns, and writes the tables of
 * docs/evidence/planning-speed.md; the text around them stays. With targets behind `--` it prints these and leaves the page alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DEFAULT_LIMITS } from "../src/planner/limits.ts";
import type { DataSource } from "../src/planner/plan.ts";
import { DATA_SOURCES } from "../src/service/data-sources.ts";
import { median, milliseconds } from "./notebook/figures.ts";
import { table } from "./notebook/page.ts";
import { today, writeFigures } from "./notebook/page-figures.ts";
import { headCommit, unpacked } from "./rig/older-tree.ts";
import { buildPlanner, type Planner } from "./rig/planner-bundle.ts";
import { analystQueries, type NamedQuery, standardQueries, tpchManifest } from "./rig/queries.ts";
import { openManifest } from "./rig/warm-plans.ts";
import { ROOT } from "./rig/worker-bundle.ts";

/** The last commit before the planner was held to PostgreSQL's answers on every source. */
const BEFORE = "47709d91";
const WARM_UP_ROUNDS = 60;
const ROUNDS = 60;
const PAGE = join(ROOT, "docs/evidence/planning-speed.md");

interface Version {
  readonly name: string;
  readonly planner: Planner;
}

const asked = process.argv.slice(2);
const targets = DATA_SOURCES.filter((source) =>
  asked.length === 0 ? !source.endsWith("_file") : asked.includes(source),
);
const directory = mkdtempSync(join(tmpdir(), "siskin-planning-speed-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

const queries = [...standardQueries().queries, ...analystQueries()];
const versions: readonly [Version, Version] = [
  await opened("before", unpacked(BEFORE, directory)),
  await opened("this tree", ROOT),
];
const rows = targets.map((target) => row(target));
const figures = table(
  ["Target", "Queries", `${BEFORE}, ms`, "This tree, ms", "Ratio", "Ratio of the median query"],
  rows,
);
console.log(figures);
if (asked.length === 0) {
  const made = `Written by \`npm run planning-speed\` on ${today()}, commit ${headCommit()}, Node ${process.versions.node}.`;
  writeFigures(PAGE, made, figures);
}

async function opened(name: string, root: string): Promise<Version> {
  const outfile = join(directory, `${name}.mjs`);
  await buildPlanner({ outfile, keepNames: false, root });
  return { name, planner: (await import(pathToFileURL(outfile).href)) as Planner };
}

/** Every query is planned by one version and then by the other; which comes first alternates. */
function row(source: DataSource): readonly string[] {
  const plans = versions.map(({ planner }) => {
    const manifest = openManifest(planner, tpchManifest());
    const options = { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" } as const;
    return (sql: string) => planner.plan({ sql, manifest, source, session: new Map(), options });
  });
  const planned: readonly NamedQuery[] = queries.filter(({ sql }) => plans.every((plan) => plan(sql).ok));
  const samples = planned.map((): readonly [number[], number[]] => [[], []]);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [index, { sql }] of planned.entries()) {
      for (const version of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const started = performance.now();
        plans[version]?.(sql);
        const took = performance.now() - started;
        if (round >= 0) samples[index]?.[version].push(took);
      }
    }
  }
  const medians = samples.map(([before, after]) => [median(before), median(after)] as const);
  const mean = (version: 0 | 1): number =>
    medians.reduce((sum, each) => sum + each[version], 0) / Math.max(1, medians.length);
  const ratio = median(medians.map(([before, after]) => after / before));
  return [
    source,
    String(planned.length),
    milliseconds(mean(0)),
    milliseconds(mean(1)),
    (mean(1) / mean(0)).toFixed(2),
    ratio.toFixed(2),
  ];
}
