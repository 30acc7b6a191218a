/**
 * Data source → target. A source is planned for only when its dialect is complete. A Worker may be built without a dialect:
 * the condition `without-mysql` puts `absent.ts` in the place of `#dialects/mysql` (package.json).
 */

import { duckdbTarget } from "#dialects/duckdb";
import { mssqlTarget } from "#dialects/mssql";
import { mysqlTarget } from "#dialects/mysql";
import { postgresTarget } from "#dialects/postgres";
import { PlannerError } from "../diagnostics.ts";
import type { Target } from "../lowering/target.ts";
import type { DataSource } from "../plan.ts";
import { inputTarget } from "./input-target.ts";

type MakeTarget = () => Target;

const TARGETS: Partial<Record<DataSource, MakeTarget>> = {
  postgres: postgresTarget,
  mssql: mssqlTarget,
  mysql: mysqlTarget,
  duckdb: duckdbTarget,
  local_file: duckdbTarget,
};

/** Made when something is first planned for them: an isolate should not fill the tables of fifteen dialects to use one. */
const made = new Map<MakeTarget, Target>();

/** `undefined` asks for the input language itself (decisions W16). */
export function targetOf(source: DataSource | undefined): Target {
  const make = source === undefined ? inputTarget : TARGETS[source];
  if (make === undefined) throw new PlannerError("NOT_IMPLEMENTED", `planning for ${source} is not available yet`);
  let target = made.get(make);
  if (target === undefined) {
    target = make();
    made.set(make, target);
  }
  return target;
}
