/**
 * What reads outside a statement's tables on ClickHouse and Spark (files, servers, processes, settings, other tables, Java) is
 * refused as a value and in FROM, over models with rules and without: these two are sent functions of the catalogue alone.
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

/** Of the language itself, and said as what it means everywhere. */
const KNOWN: ReadonlySet<string> = new Set(
  "format values version currentUser current_user session_user current_catalog user current_schema current_database currentDatabase uuid".split(
    " ",
  ),
);

describe.each([
  ["clickhouse", CLICKHOUSE],
  ["spark", SPARK],
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
