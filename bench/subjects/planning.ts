/** Planning while the code is hot: milliseconds from SQL text and an opened manifest to the finished plan. */

import { loadManifest, type Manifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { distribution, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { analystQueries, type NamedQuery, tpchManifest } from "../rig/queries.ts";
import type { Run, Section } from "../subject.ts";

const WARM_UP_ROUNDS = 200;
const ROUNDS = 1_500;
const TARGETS = ["postgres", "duckdb"] as const;
const BUDGET_MS = 0.2;

export async function planning({ standard }: Run): Promise<Section> {
  const analyst = analystQueries();
  const manifest = opened();
  const measured = TARGETS.map((target) => measure(standard.queries, manifest, target));
  const others = TARGETS.map((target) => measure(analyst, manifest, target));
  const all = measured.map((perQuery) => distribution(perQuery.flat()));
  const rows = standard.queries.map(({ name, sql }, index) => [
    name,
    String(sql.length),
    ...measured.flatMap((perQuery) => cells(perQuery[index] ?? [])),
  ]);
  const overall = ["all", "", ...measured.flatMap((perQuery) => cells(perQuery.flat()))];
  const analysts = ["60 analyst queries", "", ...others.flatMap((perQuery) => cells(perQuery.flat()))];
  return {
    title: "Planning, warm",
    budgets: TARGETS.map((target, index) => ({
      what: `Warm plan, median, ${standard.title}, ${target}`,
      target: `≤ ${BUDGET_MS} ms`,
      measured: `${milliseconds(all[index]?.p50 ?? Number.NaN)} ms`,
      met: (all[index]?.p50 ?? Number.POSITIVE_INFINITY) <= BUDGET_MS,
    })),
    text: [
      `\`plan()\` in Node, over ${standard.title} and one manifest of the eight tables (plain columns), opened once. Every round plans each query once, in turn, so that none has the caches to itself; ${WARM_UP_ROUNDS} rounds are not counted, ${ROUNDS} are. Milliseconds. The 99th percentiles hold the garbage collector's pauses and whatever else ran on the machine.`,
      table(
        ["Query", "Characters", ...TARGETS.flatMap((target) => [`${target} p50`, "p99"])],
        [...rows, overall, analysts],
      ),
      "Not shown: decoding the manifest (once per manifest and isolate), and manifests with calculated columns and relationships, which plan more than these queries say.",
    ].join("\n\n"),
  };
}

function cells(samples: readonly number[]): readonly string[] {
  const { p50, p99 } = distribution(samples);
  return [milliseconds(p50), milliseconds(p99)];
}

/** Per query its samples in milliseconds. A query that is refused fails the benchmark: refusing is fast. */
function measure(
  queries: readonly NamedQuery[],
  manifest: Manifest,
  source: DataSource,
): readonly (readonly number[])[] {
  const samples: number[][] = queries.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [index, { name, sql }] of queries.entries()) {
      const started = performance.now();
      const outcome = plan({
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

function opened(): Manifest {
  const outcome = loadManifest(tpchManifest(), 16 * 1024 * 1024);
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
