/** How each data source writes names, strings and comments. Canner and Athena speak Trino; files are read by DuckDB. */
import type { DataSource } from "../plan.ts";
import type { LexicalRules } from "../syntax/lexical-rules.ts";
import { BIGQUERY_LEXICAL } from "./bigquery/lexical.ts";
import { CLICKHOUSE_LEXICAL } from "./clickhouse/lexical.ts";
import { DUCKDB_LEXICAL } from "./duckdb/lexical.ts";
import { MSSQL_LEXICAL } from "./mssql/lexical.ts";
import { MYSQL_LEXICAL } from "./mysql/lexical.ts";
import { ORACLE_LEXICAL } from "./oracle/lexical.ts";
import { POSTGRES_LEXICAL } from "./postgres/lexical.ts";
import { REDSHIFT_LEXICAL } from "./postgres/redshift/lexical.ts";
import { SNOWFLAKE_LEXICAL } from "./snowflake/lexical.ts";
import { SPARK_LEXICAL } from "./spark/lexical.ts";
import { TRINO_LEXICAL } from "./trino/lexical.ts";

export const LEXICAL_RULES: Readonly<Record<DataSource, LexicalRules>> = {
  athena: TRINO_LEXICAL,
  bigquery: BIGQUERY_LEXICAL,
  canner: TRINO_LEXICAL,
  clickhouse: CLICKHOUSE_LEXICAL,
  mssql: MSSQL_LEXICAL,
  mysql: MYSQL_LEXICAL,
  oracle: ORACLE_LEXICAL,
  postgres: POSTGRES_LEXICAL,
  redshift: REDSHIFT_LEXICAL,
  snowflake: SNOWFLAKE_LEXICAL,
  trino: TRINO_LEXICAL,
  local_file: DUCKDB_LEXICAL,
  s3_file: DUCKDB_LEXICAL,
  minio_file: DUCKDB_LEXICAL,
  gcs_file: DUCKDB_LEXICAL,
  spark: SPARK_LEXICAL,
  databricks: SPARK_LEXICAL,
  doris: MYSQL_LEXICAL,
  duckdb: DUCKDB_LEXICAL,
};
