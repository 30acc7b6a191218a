/**
 * Functions of DuckDB that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual: https://duckdb.org/docs/1.4/sql/functions/overview. Functions of files,
 * settings, the catalogue and the session, of chance, those that raise on purpose or make rows, those that call a function by its
 * name, and those that fill patterns (their widths have no limit) are left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const DUCKDB_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "dayname format_bytes json_extract_string json_quote json_value monthname parse_dirname parse_dirpath parse_filename",
    "regexp_extract sha1 strip_accents to_base64 url_decode url_encode",
  ],
  bigint: ["count_if levenshtein ord unicode yearweek"],
  double: ["entropy jaccard jaro_similarity jaro_winkler_similarity lgamma"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "any_value approx_quantile array_cosine_distance array_cosine_similarity array_cross_product array_distance",
    "array_inner_product array_slice bit_length bit_position bitstring_agg century contains damerau_levenshtein datesub",
    "decade epoch epoch_ms epoch_ns epoch_us era even favg fdiv flatten fmod from_base64 fsum gamma geomean get_bit hamming",
    "hash isfinite isinf isnan isodow isoyear json_array json_contains json_exists json_extract json_keys json_type",
    "json_valid kahan_sum kurtosis kurtosis_pop left_grapheme length_grapheme list list_any_value list_avg list_distinct",
    "list_first list_grade_up list_has_all list_has_any list_intersect list_last list_max list_median list_min list_mode",
    "list_product list_resize list_reverse list_reverse_sort list_slice list_sort list_sum list_unique list_value list_where",
    "list_zip mad make_timestamp_ms make_timestamp_ns map_entries map_extract map_extract_value map_from_entries map_keys",
    "map_values md5_number md5_number_lower md5_number_upper microsecond millennium millisecond mismatches mode nanosecond",
    "nextafter nfc_normalize parse_path prefix quantile_cont quantile_disc regexp_extract_all regexp_full_match",
    "regexp_split_to_array right_grapheme sem set_bit sha256 skewness str_split str_split_regex string_split",
    "string_split_regex strlen struct_extract substring_grapheme suffix sumkahan time_bucket try_strptime unbin unhex xor",
  ],
});
