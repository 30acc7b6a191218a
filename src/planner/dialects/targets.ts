/**
 * Data source → target. A source is planned for only when its dialect is complete. A Worker may be built without a dialect:
 * the condition `without-mysql` puts `absent.ts` in the place of `#dialects/mysql` (package.json).
 */

import { athenaTarget } from "#dialects/athena";
import { bigqueryTarget } from "#dialects/bigquery";
import { cannerTarget } from "#dialects/canner";
import { clickhouseTarget } from "#dialects/clickhouse";
import { databricksTarget } from "#dialects/databricks";
import { dorisTarget } from "#dialects/doris";
import { duckdbTarget } from "#dialects/duckdb";
import { mssqlTarget } from "#dialects/mssql";
import { mysqlTarget } from "#dialects/mysql";
import { oracleTarget } from "#dialects/oracle";
import { postgresTarget } from "#dialects/postgres";
import { redshiftTarget } from "#dialects/redshift";
import { snowflakeTarget } from "#dialects/snowflake";
import { sparkTarget } from "#dialects/spark";
import { trinoTarget } from "#dialects/trino";
import type { Member, Target } from "../lowering/target.ts";
import type { DataSource, VariantRange } from "../plan.ts";
import { inputTarget } from "./input-target.ts";

type MakeTarget = () => Target;

const PLANNED = {
  postgres: postgresTarget,
  bigquery: bigqueryTarget,
  clickhouse: clickhouseTarget,
  mssql: mssqlTarget,
  mysql: mysqlTarget,
  doris: dorisTarget,
  oracle: oracleTarget,
  duckdb: duckdbTarget,
  local_file: duckdbTarget,
  redshift: redshiftTarget,
  snowflake: snowflakeTarget,
  spark: sparkTarget,
  databricks: databricksTarget,
  trino: trinoTarget,
  athena: athenaTarget,
  canner: cannerTarget,
} satisfies Partial<Record<DataSource, MakeTarget>>;

/** Sources whose dialect is complete. */
export type PlannedSource = keyof typeof PLANNED;

/** Files are read by the same engine, wherever they are kept. */
const TARGETS: Readonly<Record<DataSource, MakeTarget>> = {
  ...PLANNED,
  s3_file: duckdbTarget,
  minio_file: duckdbTarget,
  gcs_file: duckdbTarget,
};

/** Made when something is first planned for them: an isolate should not fill the tables of fifteen dialects to use one. */
const made = new Map<MakeTarget | Member, Target>();

/**
 * `undefined` asks for the input language itself (docs/decisions/0012-planning-without-a-source.md); a variant is one of
 * `variantsOf` the source.
 */
export function targetOf(source: DataSource | undefined, variant?: VariantRange): Target {
  const make = source === undefined ? inputTarget : TARGETS[source];
  const all = kept(make, make);
  if (variant === undefined) return all;
  const member = all.members?.find(({ range }) => range === variant);
  if (member === undefined) throw new TypeError("a variant of another source");
  return kept(member, () => ({ ...member.of(all), variant }));
}

/** Servers of a source that more is planned for than for all of them. */
export const variantsOf = (source: DataSource | undefined): readonly VariantRange[] =>
  targetOf(source).members?.map(({ range }) => range) ?? [];

function kept(key: MakeTarget | Member, make: MakeTarget): Target {
  let target = made.get(key);
  if (target === undefined) {
    target = make();
    made.set(key, target);
  }
  return target;
}
