/** Plans in tests: manifests as objects, failures as exceptions. */
import { isWithin } from "../../src/connectors/variants.ts";
import {
  loadManifest,
  type Manifest,
  type Outcome,
  type PlanRequest,
  plan,
  planCube,
} from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { Plan, Variant } from "../../src/planner/plan.ts";

export function manifestOf(json: unknown): Manifest {
  const outcome = loadManifest(Buffer.from(JSON.stringify(json)).toString("base64"), 16 * 1024 * 1024);
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/** One model `t` over the table `t`: its columns by their types. */
export function manifestOfTable(types: Readonly<Record<string, string>>): Manifest {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  return manifestOf({ catalog: "c", schema: "s", models: [{ name: "t", tableReference: { table: "t" }, columns }] });
}

export type PlanSettings = Partial<Omit<PlanRequest, "sql" | "manifest" | "options">> & {
  readonly options?: Partial<PlanRequest["options"]>;
};

export function planned(sql: string, manifest: Manifest, settings: PlanSettings = {}): Plan {
  return valueOf(plan({ sql, ...requestOf(manifest, settings) }));
}

/** Plans like the service for a server: for all variants of its source, and if they refuse together, for that one. */
export function plannedOn(
  variant: Variant | undefined,
  sql: string,
  manifest: Manifest,
  settings: PlanSettings = {},
): Plan {
  const outcome = plan({ sql, ...requestOf(manifest, settings) });
  if (outcome.ok || variant === undefined) return valueOf(outcome);
  const range = outcome.error.liftedBy.find((each) => isWithin(variant, each));
  return range === undefined ? valueOf(outcome) : planned(sql, manifest, { ...settings, variant: range });
}

/** A structured query over a cube. */
export function plannedCube(cube: unknown, manifest: Manifest, settings: PlanSettings = {}): Plan {
  return valueOf(planCube({ cube, ...requestOf(manifest, settings) }));
}

export function requestOf(manifest: Manifest, { options, ...rest }: PlanSettings): Omit<PlanRequest, "sql"> {
  return {
    manifest,
    source: "duckdb",
    session: new Map(),
    ...rest,
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard", ...options },
  };
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
