/** Data source → target. A source is planned for only when its dialect is complete. */
import { PlannerError } from "../diagnostics.ts";
import type { Target } from "../lowering/target.ts";
import type { DataSource } from "../plan.ts";
import { DUCKDB } from "./duckdb/duckdb.ts";
import { INPUT_TARGET } from "./input-target.ts";
import { POSTGRES } from "./postgres/postgres.ts";

const TARGETS: Partial<Record<DataSource, Target>> = {
  postgres: POSTGRES,
  duckdb: DUCKDB,
  local_file: DUCKDB,
};

/** `undefined` asks for the input language itself (decisions W16). */
export function targetOf(source: DataSource | undefined): Target {
  if (source === undefined) return INPUT_TARGET;
  const target = TARGETS[source];
  if (target === undefined) throw new PlannerError("NOT_IMPLEMENTED", `planning for ${source} is not available yet`);
  return target;
}
