/** Cost of a manifest: opening it, and planning with its calculated columns and rules, by the size of the rest. */
import { distribution, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { jsonMilliseconds } from "../rig/json-time.ts";
import { MODELLED_QUERIES, modelledManifest, otherModels, SESSION } from "../rig/models.ts";
import { openManifest, openPlanner, ROUNDS, WARM_UP_ROUNDS, warmPlans } from "../rig/warm-plans.ts";
import { type Run, ratioBudget, type Section } from "../subject.ts";

const OPENED_MODELS = 500;
const OPENINGS = 40;
const COUNTS = [10, 1_000] as const;
const TARGETS = ["postgres", "duckdb"] as const;
/** Opening over `JSON.parse` of the same text; planning with many models over few. */
const BUDGETS = { opening: 6, planning: 1.5 } as const;

export async function manifests(run: Run): Promise<Section> {
  const planner = await openPlanner(run, run.bundle.keepNames);
  const text = otherModels(OPENED_MODELS);
  const openings = Array.from({ length: OPENINGS }, () => {
    const started = performance.now();
    openManifest(planner, text);
    return performance.now() - started;
  });
  const opening = distribution(openings.slice(OPENINGS / 2));
  const measured = TARGETS.map((source) => {
    const variants = COUNTS.map((count) => ({ manifest: openManifest(planner, modelledManifest(count)), source }));
    const [few = [], many = []] = warmPlans({ planner, queries: MODELLED_QUERIES, variants, session: SESSION });
    return { source, few, many, ratio: median(many.flat()) / median(few.flat()) };
  });
  const rows = MODELLED_QUERIES.map(({ name }, index) => [
    name,
    ...measured.flatMap(({ few, many }) => [few, many].map((each) => milliseconds(median(each[index] ?? [])))),
  ]);
  const [fewest, most] = COUNTS;
  return {
    title: "Manifests",
    budgets: [
      ratioBudget(
        `Opening a manifest, ${OPENED_MODELS} models × 30 columns, over JSON.parse of it`,
        opening.p50 / jsonMilliseconds(text, OPENINGS),
        BUDGETS.opening,
        "look for members that are read before a query needs them (`manifest/manifest.ts`)",
      ),
      ...measured.map(({ source, ratio }) =>
        ratioBudget(
          `Warm plan over calculated columns and a row rule, ${most} models over ${fewest}, ${source}`,
          ratio,
          BUDGETS.planning,
          "look for work per model in a plan",
        ),
      ),
    ],
    text: [
      `Opening is from base64 to a manifest that can be planned with, ${(text.length / 1024 / 1024).toFixed(1)} MiB of it: median of the later half of ${OPENINGS} times, 99th percentile ${milliseconds(opening.p99)} ms. Objects are read when a query first needs them. A Worker keeps what it opened, by its text.`,
      `The queries are six of TPC-H, written over calculated columns (to-one paths of up to three steps, sums and counts over to-many ones) of the eight tables with their relationships and a row rule on \`customer\`. \`plan()\` in Node, medians in milliseconds over ${ROUNDS} rounds after ${WARM_UP_ROUNDS}; the manifests of ${fewest} and of ${most} models take turns.`,
      table(
        ["Query", ...TARGETS.flatMap((target) => COUNTS.map((count) => `${target}, ${count} models`))],
        [
          ...rows,
          [
            "**all**",
            ...measured.flatMap(({ few, many }) => [few, many].map((each) => milliseconds(median(each.flat())))),
          ],
        ],
      ),
    ].join("\n\n"),
  };
}
