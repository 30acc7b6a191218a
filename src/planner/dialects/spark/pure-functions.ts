/**
 * Functions of Spark SQL and Databricks that the catalogue does not have, and that read nothing but their arguments and change
 * nothing (docs/decisions/0019-functions.md). From the manual: https://spark.apache.org/docs/latest/api/sql/index.html. Functions
 * of files, of Java classes, of the session and its partitions, of secrets, models and addresses, those of chance, those that raise
 * on purpose and those that make rows are left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const SPARK_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "bin conv dayname elt format_number format_string get_json_object hex listagg mask monthname parse_url printf",
    "regexp_extract sha sha1 sha2 soundex space substring_index url_decode url_encode",
  ],
  bigint: [
    "array_size count_if crc32 dayofmonth find_in_set instr levenshtein locate regexp_instr unix_date unix_micros unix_millis",
    "unix_seconds",
  ],
  double: ["hypot log1p log2"],
  date: ["date_from_unix_date"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "any_value approx_percentile array array_compact array_distinct array_except array_insert array_intersect array_max",
    "array_min array_prepend array_remove array_repeat array_sort array_union arrays_overlap arrays_zip ascii base64 bit_and",
    "bit_get bit_length bit_or bit_xor bround char collect_list collect_set csc decode endswith equal_null expm1 flatten",
    "from_json from_utc_timestamp get getbit hash histogram_numeric is_valid_utf8 isnan isnotnull json_object_keys kurtosis",
    "luhn_check make_dt_interval make_ym_interval map map_concat map_contains_key map_entries map_from_arrays",
    "map_from_entries map_keys map_values months_between named_struct nanvl negative next_day nullifzero nvl2 percentile",
    "percentile_approx pmod positive regexp_extract_all regexp_substr rint sec sentences shiftleft shiftright",
    "shiftrightunsigned size skewness slice sort_array split str_to_map struct timestamp_micros timestamp_millis",
    "timestamp_seconds to_binary to_timestamp_ltz to_timestamp_ntz to_unix_timestamp to_utc_timestamp try_add try_avg",
    "try_divide try_element_at try_mod try_multiply try_subtract try_sum try_to_binary try_to_number try_to_timestamp typeof",
    "unbase64 unhex xxhash64 zeroifnull",
  ],
});
