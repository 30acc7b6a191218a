/**
 * Corrections to the listing of functions: functions and forms that have a rule in a dialect but whose call is still
 * rejected because of their operands or results (arrays, percentiles, regular expressions).
 * `test/planner/describe/functions.test.ts` plans each example for each source, and checks that both lists are minimal.
 */
import type { DataSource } from "../plan.ts";

export interface ListedOtherwise {
  /** Not listed: no call like its example is planned. */
  readonly absent: readonly string[];
  /** Their arrays are no columns of an answer, and are counted in the example. */
  readonly counted?: readonly string[];
}

/** Only the families of PostgreSQL, DuckDB, Trino and Spark support the first, and Trino and Spark not the last. */
const NOWHERE: readonly string[] = ["array_has_any", "array_overlaps", "arrays_overlap", "list_has_any", "sequence"];

/** Members of JSON, for sources that make rows of the elements of its arrays. */
const OF_MEMBERS: readonly string[] = [
  "json_each",
  "json_each_text",
  "json_object_keys",
  "jsonb_each",
  "jsonb_each_text",
];

const COUNTED: readonly string[] = [
  "array_agg",
  "array_append",
  "array_cat",
  "array_concat",
  "array_prepend",
  "array_push_back",
  "array_push_front",
  "array_remove",
  "array_replace",
  "list_append",
  "list_cat",
  "list_concat",
  "list_prepend",
  "list_push_back",
  "list_push_front",
  "make_array",
  "regexp_match",
  "regexp_split_to_array",
  "string_to_array",
];

export const LISTED_OTHERWISE: Readonly<Partial<Record<DataSource, ListedOtherwise>>> = {
  redshift: {
    absent: [
      "array_indexof",
      "array_position",
      "first",
      "json_extract_path",
      "json_typeof",
      "jsonb_extract_path",
      "jsonb_typeof",
      "list_indexof",
      "list_position",
      "regexp_match",
      "sequence",
    ],
  },
  mysql: { absent: [...OF_MEMBERS, "regexp_match", "sequence"] },
  doris: {
    absent: ["json_extract_path", "jsonb_extract_path", "sequence"],
  },
  mssql: {
    absent: ["first", "json_extract_path", "jsonb_extract_path", "regexp_match", "sequence"],
  },
  oracle: {
    absent: ["format", "json_extract_path", "jsonb_extract_path", "regexp_match", "sequence"],
  },
  clickhouse: { absent: ["json_extract_path", "jsonb_extract_path", "regexp_match", "sequence"] },
  bigquery: {
    absent: [
      ...NOWHERE,
      ...OF_MEMBERS,
      "jsonb_object_keys",
      "array_concat",
      "array_has_all",
      "array_push_front",
      "list_cat",
      "list_concat",
      "list_contains_all",
      "list_has_all",
      "list_prepend",
      "list_push_front",
      "regexp_match",
    ],
    counted: ["array_agg", "string_to_array"],
  },
  snowflake: {
    absent: ["sequence", "regexp_match"],
  },
  spark: { absent: ["sequence", "json_extract_path", "jsonb_extract_path"] },
  databricks: { absent: ["sequence", "json_extract_path", "jsonb_extract_path"] },
  trino: { absent: ["sequence"] },
  athena: { absent: ["sequence"], counted: COUNTED },
  canner: { absent: ["sequence"], counted: COUNTED },
};
