/** ClickHouse functions that read other tables, files and servers. */
export const CLICKHOUSE_FORBIDDEN: ReadonlySet<string> = new Set(
  "sleep file url s3 gcs hdfs remote cluster mysql postgresql mongodb redis sqlite jdbc odbc executable iceberg hudi input view merge loop".split(
    " ",
  ),
);
