/**
 * Spark's call methods of Java by their names (https://spark.apache.org/docs/latest/api/sql/), Databricks' read secrets and
 * other sources.
 */
export const SPARK_FORBIDDEN: ReadonlySet<string> = new Set(
  "reflect try_reflect java_method secret try_secret list_secrets remote_query cloud_files event_log table_changes vector_search".split(
    " ",
  ),
);
