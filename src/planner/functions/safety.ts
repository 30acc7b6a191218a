/**
 * Functions that are rejected in caller SQL on every source (docs/decisions/0019-functions.md, the last class): they read outside
 * the query, run SQL, wait, lock or change something. `query_to_xml('select …')` reads any table of the database, `read_text` any
 * file, `dblink` any host; `pg_sleep` blocks a connection. Names that are dangerous on one source only are listed with that source
 * (`dialects/<root>/forbidden.ts`).
 */

const NAMES: ReadonlySet<string> = new Set(
  [
    // PostgreSQL: SQL in text, other servers, large objects, sequences, settings
    "query_to_xml query_to_xml_and_xmlschema query_to_xmlschema cursor_to_xml cursor_to_xmlschema table_to_xml",
    "table_to_xml_and_xmlschema table_to_xmlschema schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema",
    "database_to_xml database_to_xml_and_xmlschema database_to_xmlschema ts_stat ts_rewrite xpath_table current_query",
    "nextval currval setval lastval set_config current_setting setseed loread lowrite inet_server_addr",
    "brin_summarize_new_values brin_summarize_range brin_desummarize_range gin_clean_pending_list currtid2",
    "inet_server_port inet_client_addr inet_client_port obj_description col_description shobj_description format_type",
    "query_export_to_s3 table_import_from_s3",
    // DuckDB: files, other databases, SQL in text, the environment
    "columns sniff_csv getenv getvariable which_secret parquet_scan parquet_schema parquet_metadata",
    "parquet_file_metadata parquet_kv_metadata parquet_bloom_probe seq_scan index_scan arrow_scan arrow_scan_dumb",
    "sqlite_scan sqlite_attach sqlite_query postgres_scan postgres_scan_pushdown postgres_attach postgres_query",
    "postgres_execute mysql_scan mysql_query mysql_execute iceberg_scan iceberg_metadata iceberg_snapshots delta_scan",
    "json_execute_serialized_sql json_serialize_sql json_deserialize_sql write_log",
    "duckdb_secrets duckdb_logs pandas_scan python_map_function",
    // MySQL, ClickHouse, SQL Server, Oracle, BigQuery, Snowflake …
    "load_file sys_exec sys_eval get_lock release_lock release_all_locks is_free_lock is_used_lock",
    "sleepeachrow master_pos_wait source_pos_wait master_gtid_wait wait_for_executed_gtid_set joinget joingetornull",
    "urlcluster s3cluster hdfscluster remotesecure clusterallreplicas azureblobstorage deltalake",
    "viewifpermitted numbers_mt catboostevaluate filesystemavailable openrowset opendatasource openquery openxml",
    "external_query system typeof_sql eval execute_immediate sys_context",
  ]
    .join(" ")
    .split(" "),
);

const PREFIXES: readonly string[] = [
  "pg_",
  "lo_",
  "dblink",
  "has_",
  "row_security",
  "binary_upgrade_",
  "bt_",
  "to_reg",
  "run_command_on_",
  "master_run_on_worker",
  "citus_",
  ..."class proc procedure oper operator type role namespace collation config dictionary database"
    .split(" ")
    .map((kind) => `reg${kind}`),
  "heap_force_",
  "postgres_fdw_",
  "txid_",
  "read_",
  "duckdb_",
  "pragma_",
  "load_aws",
  "dictget",
  "dicthas",
  "dbms_",
  "utl_",
  "xp_",
  "sp_",
  "fn_",
  "ai_",
  "ml_",
  "http_",
  "system$",
  "crosstab",
  "pgr_",
  "pgstat",
  "pgrowlocks",
  "get_raw_page",
  "aws_",
  "http",
  "enable_",
  "disable_",
];

/** Harmless members of a refused family. */
const ALLOWED: ReadonlySet<string> = new Set(["pg_typeof", "pg_column_size", "pg_size_pretty"]);

/**
 * Whether caller SQL may never call a function of this name; `own` are the source's additional names. Compared without
 * case.
 */
export function isForbidden(name: string, own: ReadonlySet<string>): boolean {
  const folded = name.toLowerCase();
  if (ALLOWED.has(folded)) return false;
  return own.has(folded) || NAMES.has(folded) || hasRefusedPrefix(folded);
}

const BY_LETTER: ReadonlyMap<string, readonly string[]> = Map.groupBy(PREFIXES, (prefix) => prefix.charAt(0));

function hasRefusedPrefix(folded: string): boolean {
  return BY_LETTER.get(folded.charAt(0))?.some((prefix) => folded.startsWith(prefix)) === true;
}
