/**
 * Functions that wait, that read files and other servers in the place of a table
 * (https://doris.apache.org/docs/dev/sql-manual/sql-functions/table-valued-functions/s3), and those that report on the cluster; beside
 * what nobody may call anywhere (`functions/safety.ts`).
 */
export const DORIS_FORBIDDEN: ReadonlySet<string> = new Set(
  [
    "sleep benchmark s3 hdfs local file cdc_stream group_commit query numbers",
    "iceberg_meta hudi_meta paimon_meta parquet_meta",
    "backends frontends frontends_disks catalogs jobs tasks mv_infos partitions partition_values workload_groups active_queries",
    "encryptkeyref embed llm_agg",
  ].flatMap((line) => line.split(" ")),
);
