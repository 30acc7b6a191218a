/**
 * Functions that reach beyond the tables of a statement: files of stages, other queries' results, the account
 * (https://docs.snowflake.com/en/sql-reference/functions-all), beside what nobody may call anywhere (`functions/safety.ts`). What
 * begins with SYSTEM$ is no name of the language, and what the catalogue does not have is refused there by itself.
 */
const NAMES = [
  "get_ddl get_presigned_url build_stage_file_url build_scoped_file_url get_stage_location get_absolute_path get_relative_path",
  "get_object_references infer_schema result_scan last_query_id copy_history query_history login_history task_history",
  "data_transfer_history warehouse_load_history external_table_files",
];

export const SNOWFLAKE_FORBIDDEN: ReadonlySet<string> = new Set(NAMES.flatMap((line) => line.split(" ")));
