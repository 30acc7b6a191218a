/**
 * Functions of Doris that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual: https://doris.apache.org/docs/sql-manual/sql-functions/overview. Functions
 * of the session, of files, dictionaries, addresses and models, of chance, those that wait and those that make rows are left out.
 */
import { type FunctionList, functionList } from "../../../functions/catalogue.ts";

export const DORIS_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "append_trailing_char_if_absent bin conv dayname domain domain_without_www elt extract_url_parameter get_json_string",
    "group_concat hex json_quote json_unquote mask mask_first_n mask_last_n md5sum money_format monthname parse_url protocol",
    "regexp_extract sha sha1 sha2 sm3 sm3sum soundex space sub_replace substring_index time_format to_base64 url_decode",
    "url_encode",
  ],
  bigint: [
    "array_size bit_count bitand bitmap_count bitmap_union_count countequal crc32 dayofmonth days_diff find_in_set",
    "get_json_bigint get_json_int hll_union_agg hours_diff instr json_length levenshtein locate minutes_diff months_diff",
    "seconds_diff strcmp time_to_sec to_days unix_timestamp weeks_diff years_diff yearweek",
  ],
  double: ["get_json_double"],
  date: ["from_days makedate"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "any_value approx_count_distinct array array_avg array_compact array_concat array_contains_all array_count array_cum_sum",
    "array_difference array_distinct array_enumerate array_except array_first_index array_flatten array_intersect array_max",
    "array_min array_popback array_popfront array_product array_pushback array_pushfront array_range array_remove",
    "array_reverse_sort array_slice array_sort array_sum array_union array_with_constant array_zip arrays_overlap",
    "avg_weighted bit_shift_left bit_shift_right bitmap_union bitnot bitor bitxor char_length collect_list collect_set",
    "convert_tz count_by_enum day_ceil day_floor days_add days_sub field from_base64 from_microsecond from_millisecond",
    "from_second hll_cardinality hour_ceil hour_floor hours_add hours_sub intersect_count json_array json_contains",
    "json_exists_path json_extract json_insert json_keys json_object json_parse json_replace json_set json_type json_valid",
    "jsonb_extract jsonb_parse kurt kurtosis maketime map map_agg map_contains_key map_contains_value map_keys map_size",
    "map_values microsecond_timestamp millisecond_timestamp minute_ceil minute_floor minutes_add minutes_sub month_ceil",
    "month_floor months_add months_between months_sub murmur_hash3_32 murmur_hash3_64 named_struct negative next_day",
    "ngram_search not_null_or_empty null_or_empty nullifzero percentile percentile_approx percentile_array pmod positive",
    "regexp_extract_all retention sec_to_time second_ceil second_floor second_timestamp seconds_add seconds_sub",
    "sequence_count sequence_match skew skewness split_by_char split_by_regexp split_by_string struct struct_element topn",
    "topn_array topn_weighted unhex week_ceil week_floor weeks_add weeks_sub window_funnel xxhash_32 xxhash_64 year_ceil",
    "year_floor years_add years_sub zeroifnull",
  ],
});
