/** Data source → target. A source is planned for only when its dialect is complete. */
import { PlannerError } from "../diagnostics.ts";
import type { Target } from "../lowering/target.ts";
import type { DataSource } from "../plan.ts";
import { duckdbTarget } from "./duckdb/duckdb.ts";
import { inputTarget } from "./input-target.ts";
import { mssqlTarget } from "./mssql/mssql.ts";
import { mysqlTarget } from "./mysql/mysql.ts";
import { postgresTarget } from "./postgres/postgres.ts";

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
