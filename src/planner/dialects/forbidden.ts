/** Functions that each data source refuses to callers by itself. */
import type { DataSource } from "../plan.ts";
import { CLICKHOUSE_FORBIDDEN } from "./clickhouse/forbidden.ts";
import { DUCKDB_FORBIDDEN } from "./duckdb/forbidden.ts";
import { DORIS_FORBIDDEN } from "./mysql/doris/forbidden.ts";
import { MYSQL_FORBIDDEN } from "./mysql/forbidden.ts";
import { ORACLE_FORBIDDEN } from "./oracle/forbidden.ts";
import { POSTGRES_FORBIDDEN } from "./postgres/forbidden.ts";
import { SNOWFLAKE_FORBIDDEN } from "./snowflake/forbidden.ts";
import { SPARK_FORBIDDEN } from "./spark/forbidden.ts";
import { TRINO_FORBIDDEN } from "./trino/forbidden.ts";

const NONE: ReadonlySet<string> = new Set();

export const FORBIDDEN_FUNCTIONS: Readonly<Record<DataSource, ReadonlySet<string>>> = {
  athena: TRINO_FORBIDDEN,
  bigquery: NONE,
  canner: TRINO_FORBIDDEN,
  clickhouse: CLICKHOUSE_FORBIDDEN,
  mssql: NONE,
  mysql: MYSQL_FORBIDDEN,
  oracle: ORACLE_FORBIDDEN,
  postgres: POSTGRES_FORBIDDEN,
  redshift: POSTGRES_FORBIDDEN,
  snowflake: SNOWFLAKE_FORBIDDEN,
  trino: TRINO_FORBIDDEN,
  local_file: DUCKDB_FORBIDDEN,
  s3_file: DUCKDB_FORBIDDEN,
  minio_file: DUCKDB_FORBIDDEN,
  gcs_file: DUCKDB_FORBIDDEN,
  spark: SPARK_FORBIDDEN,
  databricks: SPARK_FORBIDDEN,
  doris: DORIS_FORBIDDEN,
  duckdb: DUCKDB_FORBIDDEN,
};

/** Functions that every source refuses: used for a text whose source is not known. */
export const forbiddenAnywhere = (): ReadonlySet<string> =>
  new Set(Object.values(FORBIDDEN_FUNCTIONS).flatMap((names) => [...names]));
