/**
 * A function that reads outside a statement's tables on ClickHouse, Spark and Trino and their families (files, servers, processes, settings,
 * other tables, Java) is refused as a value and in FROM, over models with rules and without. ClickHouse, Spark, Databricks and
 * Redshift are sent functions of the catalogue alone; Trino, Athena and Canner unknown ones as values, where no rule is active.
 */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";

const manifestWith = (rowLevelAccessControls: readonly object[]) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "t",
        tableReference: { schema: "sales", table: "orders" },
        columns: [{ name: "x", type: "VARCHAR" }],
        rowLevelAccessControls,
      },
    ],
  });

const MANIFESTS = [
  ["without rules", manifestWith([])],
  ["with rules", manifestWith([{ name: "own", requiredProperties: [], condition: "x = 'a'" }])],
] as const;

function reasonOf(sql: string, source: DataSource, manifest: (typeof MANIFESTS)[number][1]): string {
  try {
    return planned(sql, manifest, { source }).sql;
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return error.reason;
  }
}

/** Reasons, and no SQL. */
const REFUSED =
  /^(FUNCTION_NOT_ALLOWED|FUNCTION_NOT_FOUND|MODEL_NOT_FOUND|SYNTAX|UNSUPPORTED_ON_SOURCE|UNSUPPORTED_STATEMENT)$/;

/** https://clickhouse.com/docs/sql-reference/table-functions and https://clickhouse.com/docs/sql-reference/functions/other-functions */
const CLICKHOUSE =
  "file url s3 s3Cluster gcs hdfs azureBlobStorage remote remoteSecure cluster clusterAllReplicas mysql postgresql mongodb redis sqlite jdbc odbc " +
  "executable input merge view loop numbers zeros generateRandom dictionary values null format iceberg hudi deltaLake paimon arrowFlight ytsaurus " +
  "mergeTreeIndex mergeTreeProjection mergeTreeAnalyzeIndexes fuzzQuery fuzzJSON timeSeriesData prometheusQuery viewIfPermitted urlCluster fileCluster " +
  "dictGet dictGetOrDefault dictGetOrNull dictHas dictGetHierarchy dictGetString dictGetKeys joinGet joinGetOrNull getSetting getSettingOrDefault " +
  "getServerSetting getMergeTreeSetting getMacro getOSKernelVersion hostName fqdn currentUser currentDatabase currentSchemas serverUUID uptime version " +
  "tcpPort displayName buildId zookeeperSessionUptime catboostEvaluate filesystemAvailable filesystemCapacity sleep sleepEachRow throwIf evalMLMethod " +
  "addressToLine addressToSymbol demangle getSubcolumn hasColumnInTable initializeAggregation lowCardinalityKeys dumpColumnStructure blockSerializedSize " +
  "naiveBayesClassifier detectLanguage aiGenerateContent fileRead structureToProtobufSchema transactionID queryID initialQueryID connectionId showCertificate";

/** https://spark.apache.org/docs/latest/api/sql/, and Databricks' own. */
const SPARK =
  "reflect try_reflect java_method read_files range sql_keywords collations stack python_worker_logs variant_explode read_kafka read_pulsar read_kinesis read_pubsub " +
  "read_statestore read_state_metadata cloud_files event_log table_changes remote_query secret try_secret list_secrets http_request ai_query vector_search " +
  "input_file_name input_file_block_start input_file_block_length current_catalog current_database current_schema current_user session_user user version " +
  "spark_partition_id monotonically_increasing_id raise_error assert_true from_avro to_avro from_protobuf schema_of_avro hll_sketch_agg uuid " +
  "xpath xpath_string from_xml schema_of_xml from_csv schema_of_csv is_account_group_member session_window window";

/** https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html, what PostgreSQL's leader node may have left, and its extensions. */
const REDSHIFT =
  "dblink dblink_exec dblink_connect pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file lo_import lo_export lo_get query_to_xml table_to_xml " +
  "database_to_xml current_setting set_config pg_terminate_backend pg_cancel_backend pg_sleep pg_reload_conf pg_get_viewdef pg_get_late_binding_view_cols " +
  "pg_last_copy_id pg_last_copy_count pg_last_query_id pg_last_unload_id pg_backend_pid has_table_privilege get_namespaces inet_server_addr " +
  "ml_function explain_model f_lambda slice_num text_to_int_alt text_to_numeric_alt version current_database current_schemas txid_current";

/** Trino's table functions (https://trino.io/docs/current/functions/table.html), its connectors' and Athena's. */
const TRINO =
  "query raw_query procedure table_changes sheet exclude_columns sequence system.query system.raw_query postgresql.system.query " +
  "mysql.system.query sqlserver.system.procedure elasticsearch.system.raw_query delta.system.table_changes gsheets.system.sheet " +
  "system.builtin.exclude_columns system.builtin.sequence external_query";

/** Functions of the language itself, with the same meaning on every source. */
const KNOWN: ReadonlySet<string> = new Set(
  "format values version currentUser current_user session_user current_catalog user current_schema current_database currentDatabase uuid".split(
    " ",
  ),
);

describe.each([
  ["clickhouse", CLICKHOUSE],
  ["spark", SPARK],
  ["databricks", SPARK],
  ["redshift", REDSHIFT],
] as const)("on %s", (source, names) => {
  describe.each(MANIFESTS)("%s", (_rules, manifest) => {
    test.each(names.split(" ").filter((name) => !KNOWN.has(name)))("%s", (name) => {
      for (const sql of [
        `SELECT ${name}('/etc/passwd') FROM t`,
        `SELECT ${name}(x, 'a') FROM t`,
        `SELECT ${name}() FROM t`,
        `SELECT * FROM ${name}('/etc/passwd')`,
        `SELECT * FROM t, ${name}('a', 'b') AS y`,
        `SELECT * FROM t CROSS JOIN LATERAL ${name}(x) AS y`,
        `SELECT * FROM TABLE(${name}('a'))`,
        `SELECT x FROM t WHERE ${name}(x, 'a') = 1`,
      ]) {
        expect(reasonOf(sql, source, manifest), sql).toMatch(REFUSED);
      }
    });

    test.each([
      "SELECT x FROM t SETTINGS readonly = 0",
      "SELECT x FROM t SETTINGS enable_analyzer = 0, max_threads = 1",
      "SELECT x FROM (SELECT x FROM t SETTINGS limit = 1) AS d",
      "SET readonly = 0",
      "SET spark.sql.ansi.enabled = false",
      "SELECT x FROM t FORMAT Native",
      "SELECT x FROM t INTO OUTFILE '/tmp/x'",
      "SELECT @@version FROM t",
      `SELECT \${spark.sql.warehouse.dir} FROM t`,
      "SELECT * FROM text.`/etc/passwd`",
      'SELECT * FROM parquet."/tmp/x"',
      "SELECT * FROM system.settings",
      "SELECT * FROM system.one",
      "SELECT * FROM information_schema.tables",
      "SELECT TRANSFORM(x) USING 'cat' AS (y) FROM t",
      "INSERT INTO FUNCTION file('x') SELECT x FROM t",
    ])("%s", (sql) => expect(reasonOf(sql, source, manifest)).toMatch(REFUSED));
  });
});

describe.each(["trino", "athena", "canner"] as const)("on %s", (source) => {
  describe.each(MANIFESTS)("%s", (_rules, manifest) => {
    test.each(TRINO.split(" "))("%s in FROM", (name) => {
      for (const sql of [
        `SELECT * FROM TABLE(${name}(query => 'SELECT 1'))`,
        `SELECT * FROM TABLE(${name}('SELECT 1'))`,
        `SELECT * FROM ${name}('SELECT 1')`,
        `SELECT * FROM t, ${name}('a', 'b') AS y`,
        `SELECT * FROM t CROSS JOIN LATERAL ${name}(x) AS y`,
        `SELECT * FROM t CROSS JOIN TABLE(${name}(input => TABLE(t))) AS y`,
        `SELECT x FROM t WHERE x IN (SELECT * FROM TABLE(${name}('a')))`,
        `WITH q AS (SELECT * FROM ${name}('a')) SELECT * FROM q`,
      ]) {
        expect(reasonOf(sql, source, manifest), sql).toMatch(REFUSED);
      }
    });

    test.each([
      "query('SELECT 1')",
      "raw_query('a', 'b')",
      "procedure('p')",
      "system.query('SELECT 1')",
      "a.system.query('q')",
    ])("%s as a value", (call) => expect(reasonOf(`SELECT ${call} AS y FROM t`, source, manifest)).toMatch(REFUSED));

    test.each([
      "CALL system.runtime.kill_query('x')",
      "SET SESSION max_recursion_depth = 100",
      "WITH SESSION max_recursion_depth = 100 SELECT x FROM t",
      "WITH FUNCTION f() RETURNS bigint RETURN 1 SELECT f() FROM t",
      "SELECT * FROM system.runtime.queries",
      "SELECT * FROM system.metadata.catalogs",
      'SELECT * FROM "t$files"',
      "SELECT * FROM t FOR VERSION AS OF 1",
      "EXECUTE IMMEDIATE 'SELECT 1'",
      "PREPARE p FROM SELECT 1",
      "USING EXTERNAL FUNCTION f(x varchar) RETURNS varchar LAMBDA 'l' SELECT f(x) FROM t",
      "UNLOAD (SELECT x FROM t) TO 's3://b/' WITH (format = 'JSON')",
    ])("%s", (sql) => expect(reasonOf(sql, source, manifest)).toMatch(REFUSED));

    test.each(["$path", "$file_size", "$partition"])("the hidden column %s", (name) => {
      expect(reasonOf(`SELECT "${name}" FROM t`, source, manifest)).toBe("COLUMN_NOT_FOUND");
    });
  });
});
