/** The statements over little tables that are recorded in full for each source: those of every target, and those of its dialect. */
import type { DataSource } from "../../../src/planner/plan.ts";
import type { StatementGroup } from "../../support/statements.ts";
import { BIGQUERY } from "./bigquery.ts";
import { CLICKHOUSE } from "./clickhouse.ts";
import { DATABRICKS } from "./databricks.ts";
import { DORIS } from "./doris.ts";
import { DORIS_ARRAYS } from "./doris-arrays.ts";
import { DUCKDB, POSTGRES } from "./duckdb.ts";
import { EVERY_TARGET } from "./every-target.ts";
import { MSSQL } from "./mssql.ts";
import { MSSQL_ARRAYS } from "./mssql-arrays.ts";
import { MYSQL } from "./mysql.ts";
import { ORACLE } from "./oracle.ts";
import { ORACLE_ARRAYS } from "./oracle-arrays.ts";
import { REDSHIFT } from "./redshift.ts";
import { REDSHIFT_ARRAYS } from "./redshift-arrays.ts";
import { SNOWFLAKE } from "./snowflake.ts";
import { SNOWFLAKE_ARRAYS } from "./snowflake-arrays.ts";
import { SPARK } from "./spark.ts";
import { TRINO } from "./trino.ts";

/** Members of a family share its statements: Athena and Canner those of Trino, Databricks those of Spark, files those of DuckDB. */
const OWN: Readonly<Partial<Record<DataSource, readonly StatementGroup[]>>> = {
  athena: TRINO,
  bigquery: BIGQUERY,
  canner: TRINO,
  clickhouse: CLICKHOUSE,
  databricks: [...SPARK, ...DATABRICKS],
  doris: [...DORIS, ...DORIS_ARRAYS],
  duckdb: DUCKDB,
  local_file: DUCKDB,
  mssql: [...MSSQL, ...MSSQL_ARRAYS],
  mysql: MYSQL,
  oracle: [...ORACLE, ...ORACLE_ARRAYS],
  postgres: POSTGRES,
  redshift: [...REDSHIFT, ...REDSHIFT_ARRAYS],
  snowflake: [...SNOWFLAKE, ...SNOWFLAKE_ARRAYS],
  spark: SPARK,
  trino: TRINO,
};

export const dialectFor = (source: DataSource): readonly StatementGroup[] => [...EVERY_TARGET, ...(OWN[source] ?? [])];
