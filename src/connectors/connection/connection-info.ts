/** The connections of all sources as one type. The files of the sources import nothing of it. */
import type { AthenaConnection } from "./athena.ts";
import type { BigQueryConnection } from "./bigquery.ts";
import type { CannerConnection } from "./canner.ts";
import type { ClickHouseConnection } from "./clickhouse.ts";
import type { DatabricksConnection } from "./databricks.ts";
import type { DorisConnection } from "./doris.ts";
import type { DuckDbConnection } from "./duckdb.ts";
import type { GcsFileConnection } from "./gcs-file.ts";
import type { LocalFileConnection } from "./local-file.ts";
import type { MinioFileConnection } from "./minio-file.ts";
import type { MsSqlConnection } from "./mssql.ts";
import type { MySqlConnection } from "./mysql.ts";
import type { OracleConnection } from "./oracle.ts";
import type { PostgresConnection } from "./postgres.ts";
import type { RedshiftConnection } from "./redshift.ts";
import type { S3FileConnection } from "./s3-file.ts";
import type { SnowflakeConnection } from "./snowflake.ts";
import type { SparkConnection } from "./spark.ts";
import type { TrinoConnection } from "./trino.ts";

/** One variant per source, distinguished by `source`. Plain data; secret values are wrapped in `Secret`. */
export type ConnectionInfo =
  | AthenaConnection
  | BigQueryConnection
  | CannerConnection
  | ClickHouseConnection
  | DatabricksConnection
  | DorisConnection
  | DuckDbConnection
  | GcsFileConnection
  | LocalFileConnection
  | MinioFileConnection
  | MsSqlConnection
  | MySqlConnection
  | OracleConnection
  | PostgresConnection
  | RedshiftConnection
  | S3FileConnection
  | SnowflakeConnection
  | SparkConnection
  | TrinoConnection;

/** Whether statements on the source can have a limit on the bytes that they are billed for. */
export const limitsBilling = (source: ConnectionInfo["source"]): boolean => source === "bigquery";

/** Adds the operator's cost limit to the limit of the connection; connections of other sources are unchanged. */
export function billedAtMost(connection: ConnectionInfo, most: number | undefined): ConnectionInfo {
  if (connection.source !== "bigquery" || most === undefined) return connection;
  const { maximumBytesBilled: own } = connection;
  const limit = BigInt(most);
  return { ...connection, maximumBytesBilled: own !== undefined && own < limit ? own : limit };
}
