/** The guarantees that statements over models with row rules can have on each source (docs/reference/access-rules.md). */
import type { DataSource, RowGuarantee } from "../planner/plan.ts";

type Guarantees = readonly Exclude<RowGuarantee, "none" | "besteffort">[];

const FENCED: Guarantees = ["fenced"];
const PLAIN: Guarantees = ["plain"];
const REFUSED: Guarantees = [];

/** A test compares them with the planner's targets: answering `GET /config` must not build fifteen dialects. */
export const ROW_GUARANTEES: Readonly<Record<DataSource, Guarantees>> = {
  athena: REFUSED,
  bigquery: PLAIN,
  canner: REFUSED,
  clickhouse: FENCED,
  databricks: PLAIN,
  doris: PLAIN,
  duckdb: FENCED,
  gcs_file: FENCED,
  local_file: FENCED,
  minio_file: FENCED,
  mssql: PLAIN,
  mysql: FENCED,
  oracle: PLAIN,
  postgres: ["plain", "fenced"],
  redshift: PLAIN,
  s3_file: FENCED,
  snowflake: PLAIN,
  spark: FENCED,
  trino: FENCED,
};

/** The guarantees under the operator's setting `ROW_RULES`, which names the sources of `bestEffort`. */
export function guaranteesUnder(
  bestEffort: ReadonlySet<DataSource> = new Set(),
): Readonly<Record<string, readonly RowGuarantee[]>> {
  return Object.fromEntries(
    Object.entries(ROW_GUARANTEES).map(([source, proven]) => [
      source,
      bestEffort.has(source as DataSource) ? [...proven, "besteffort" as const] : proven,
    ]),
  );
}
