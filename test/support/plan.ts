/** Plans in tests: manifests as objects, failures as exceptions. */
import { loadManifest, type Manifest, type PlanRequest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { Plan } from "../../src/planner/plan.ts";

export function manifestOf(json: unknown): Manifest {
  const outcome = loadManifest(Buffer.from(JSON.stringify(json)).toString("base64"), 16 * 1024 * 1024);
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

export type PlanSettings = Partial<Omit<PlanRequest, "sql" | "manifest" | "options">> & {
  readonly options?: Partial<PlanRequest["options"]>;
};

export function planned(sql: string, manifest: Manifest, settings: PlanSettings = {}): Plan {
  const { options, ...rest } = settings;
  const outcome = plan({
    sql,
    manifest,
    source: "duckdb",
    session: new Map(),
    ...rest,
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard", ...options },
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
