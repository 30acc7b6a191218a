/** The planner as it is bundled in the Worker, and the time of a warm plan. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Manifest } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import type { Run } from "../subject.ts";
import { buildPlanner, type Planner } from "./planner-bundle.ts";
import type { NamedQuery } from "./queries.ts";

export const WARM_UP_ROUNDS = 150;
export const ROUNDS = 1_000;
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

export async function openPlanner({ directory }: Run, keepNames: boolean): Promise<Planner> {
  const outfile = join(directory, `planner-${keepNames ? "named" : "unnamed"}.mjs`);
  await buildPlanner({ outfile, keepNames });
  return (await import(pathToFileURL(outfile).href)) as Planner;
}

export function openManifest(planner: Planner, base64: string): Manifest {
  const manifest = planner.loadManifest(base64, MAX_MANIFEST_BYTES);
  if (!manifest.ok) throw manifest.error;
  return manifest.value;
}

export interface WarmPlans {
  readonly planner: Planner;
  readonly queries: readonly NamedQuery[];
  /** Variants that are compared take turns within every round. */
  readonly variants: readonly { readonly manifest: Manifest; readonly source: DataSource }[];
  readonly session?: ReadonlyMap<string, string>;
  /** How many are counted; by default `ROUNDS`. */
  readonly rounds?: number;
}

/** Samples in milliseconds per variant and query. A query that is refused fails the benchmark: refusing is fast. */
export function warmPlans({
  planner,
  queries,
  variants,
  session = new Map(),
  rounds = ROUNDS,
}: WarmPlans): readonly (readonly (readonly number[])[])[] {
  const samples: number[][][] = variants.map(() => queries.map(() => []));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [index, { name, sql }] of queries.entries()) {
      for (const [variant, { manifest, source }] of variants.entries()) {
        const started = performance.now();
        const outcome = planner.plan({
          sql,
          manifest,
          source,
          session,
          options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
        });
        const took = performance.now() - started;
        if (!outcome.ok) throw new Error(`${name} is refused on ${source}: ${outcome.error.message}`);
        if (round >= 0) samples[variant]?.[index]?.push(took);
      }
    }
  }
  return samples;
}
