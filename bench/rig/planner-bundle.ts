/** The planner alone, built as the Worker is. */
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./worker-bundle.ts";

export type Planner = typeof import("../../src/planner/index.ts");

export interface PlannerBuild {
  readonly outfile: string;
  /** esbuild's option of this name, which wrangler sets by default. */
  readonly keepNames: boolean;
  /** The tree that is built; this one when absent. */
  readonly root?: string;
}

export async function buildPlanner({ outfile, keepNames, root = ROOT }: PlannerBuild): Promise<void> {
  await build({
    entryPoints: [join(root, "src/planner/index.ts")],
    outfile,
    keepNames,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
  });
}
