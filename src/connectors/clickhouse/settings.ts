/**
 * ClickHouse settings that are sent with every statement, and settings of a connection that are allowed
 * (docs/decisions/0029-nothing-unknown-is-silent.md). A server profile could make an incomplete result look complete, so the
 * settings that prevent this are sent each time.
 */
import type { SessionSetting } from "../../planner/plan.ts";

/** For every statement. `readonly` 2 allows reading and settings; and a closed connection ends the running statement. */
export const OF_EVERY_STATEMENT: readonly SessionSetting[] = [
  { name: "readonly", value: "2" },
  { name: "cancel_http_readonly_queries_on_client_close", value: "1" },
  { name: "session_timezone", value: "UTC" },
  { name: "output_format_binary_write_json_as_string", value: "1" },
  { name: "partial_result_on_first_cancel", value: "0" },
  { name: "skip_unavailable_shards", value: "0" },
  // With `local`, each shard would evaluate a subquery next to a distributed table over its own data only, without an error.
  { name: "distributed_product_mode", value: "deny" },
  // An aggregate over no rows returns a row, and GROUP BY over no rows returns no groups, also with constant keys.
  { name: "empty_result_for_aggregation_by_empty_set", value: "0" },
  { name: "empty_result_for_aggregation_by_constant_keys_on_empty_set", value: "1" },
  // Otherwise the text of a timestamp at a full minute would be "2024-02-29 00:00:".
  { name: "date_time_64_output_format_cut_trailing_zeros_align_to_groups_of_thousands", value: "0" },
  // Exceeding a limit is an error, and not an incomplete result.
  ...[
    ...["timeout_overflow_mode", "timeout_overflow_mode_leaf", "read_overflow_mode", "read_overflow_mode_leaf"],
    ...["result_overflow_mode", "group_by_overflow_mode", "sort_overflow_mode", "set_overflow_mode"],
    ...["join_overflow_mode", "distinct_overflow_mode", "transfer_overflow_mode"],
  ].map((name) => ({ name, value: "throw" })),
];

/** Resource limits and execution options of a statement; none changes its result. */
const HONOURED: ReadonlySet<string> = new Set([
  ...["max_execution_time", "max_estimated_execution_time", "max_threads", "max_block_size", "max_memory_usage"],
  ...["max_memory_usage_for_user", "max_rows_to_read", "max_bytes_to_read", "max_result_rows", "max_result_bytes"],
  ...["max_rows_to_group_by", "max_bytes_before_external_group_by", "max_rows_to_sort", "max_bytes_to_sort"],
  ...["max_bytes_before_external_sort", "max_rows_in_set", "max_bytes_in_set", "max_rows_in_join", "max_bytes_in_join"],
  ...["max_rows_in_distinct", "max_bytes_in_distinct", "max_columns_to_read", "max_temporary_columns"],
  ...["max_concurrent_queries_for_user", "max_network_bandwidth", "max_partitions_to_read", "max_query_size"],
  ...["max_ast_depth", "max_ast_elements", "priority", "workload", "log_comment", "log_queries", "load_balancing"],
  ...["use_uncompressed_cache", "connect_timeout", "receive_timeout", "send_timeout", "http_zlib_compression_level"],
  ...["select_sequential_consistency", "join_algorithm", "use_skip_indexes"],
]);

export function isHonoured(setting: string): boolean {
  return HONOURED.has(setting);
}

/** Session settings of the dialect (`planner/dialects/clickhouse`): outer joins, aggregates over no rows and others. */
const OF_PLANS: readonly SessionSetting[] = [
  { name: "join_use_nulls", value: "1" },
  { name: "group_by_use_nulls", value: "1" },
  { name: "aggregate_functions_null_for_empty", value: "1" },
  { name: "cast_keep_nullable", value: "1" },
  { name: "transform_null_in", value: "0" },
  { name: "prefer_column_name_to_alias", value: "1" },
  { name: "union_default_mode", value: "DISTINCT" },
  { name: "intersect_default_mode", value: "DISTINCT" },
  { name: "except_default_mode", value: "DISTINCT" },
  { name: "count_distinct_implementation", value: "uniqExact" },
  { name: "enable_extended_results_for_datetime_functions", value: "1" },
  { name: "decimal_check_overflow", value: "1" },
  { name: "short_circuit_function_evaluation", value: "force_enable" },
  { name: "precise_float_parsing", value: "1" },
  { name: "enable_analyzer", value: "1" },
  { name: "join_default_strictness", value: "ALL" },
  { name: "extremes", value: "0" },
  { name: "limit", value: "0" },
  { name: "offset", value: "0" },
  { name: "use_query_cache", value: "0" },
  { name: "optimize_rewrite_aggregate_function_with_if", value: "0" },
];

/** The value that all statements have for a setting that their meaning depends on. */
export function valueForAll(setting: string): string | undefined {
  return [...OF_EVERY_STATEMENT, ...OF_PLANS].find(({ name }) => name === setting)?.value;
}

/** A custom setting in the SETTINGS clause: https://clickhouse.com/docs/operations/settings/query-level#custom_settings */
export function customSetting({ name, value }: SessionSetting): string {
  return `${name} = '${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
