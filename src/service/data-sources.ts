/** The values of the path segment `{data_source}` (docs/spec/contract.md#routes), in the order error texts list them. */
import type { DataSource } from "../planner/plan.ts";

const NAMES = {
  athena: true,
  bigquery: true,
  canner: true,
  clickhouse: true,
  mssql: true,
  mysql: true,
  oracle: true,
  postgres: true,
  redshift: true,
  snowflake: true,
  trino: true,
  local_file: true,
  s3_file: true,
  minio_file: true,
  gcs_file: true,
  spark: true,
  doris: true,
  duckdb: true,
  databricks: true,
} as const satisfies Record<DataSource, true>;

export const DATA_SOURCES = Object.keys(NAMES) as readonly DataSource[];

/** Names are case-sensitive. */
export function isDataSource(text: string): text is DataSource {
  return Object.hasOwn(NAMES, text);
}

export type { DataSource };
