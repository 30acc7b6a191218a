/**
 * Functions of BigQuery that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual: https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all.
 * Functions of the session, of models, keys and connections, `error` and those of chance are left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const BIGQUERY_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "code_points_to_string format_datetime format_time format_timestamp json_extract_scalar json_value normalize_and_casefold",
    "regexp_extract safe_convert_bytes_to_string soundex to_base32 to_base64 to_json_string",
  ],
  bigint: [
    "bit_count byte_length edit_distance instr octet_length regexp_instr unicode unix_date unix_micros unix_millis",
    "unix_seconds",
  ],
  double: ["st_area st_distance st_length st_x st_y"],
  date: ["date_from_unix_date parse_date"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "acosh any_value approx_quantiles approx_top_count approx_top_sum array_concat array_concat_agg array_first array_last",
    "array_reverse array_slice ascii asinh atanh bool bool_array code_points_to_bytes contains_substr corr cosh",
    "cosine_distance cot coth countif covar_pop covar_samp csc csch ends_with euclidean_distance farm_fingerprint float64",
    "float64_array from_base32 from_base64 from_hex generate_array generate_date_array ieee_divide initcap int64 int64_array",
    "is_inf is_nan json_array json_array_append json_array_insert json_extract json_extract_array json_extract_string_array",
    "json_keys json_object json_query json_query_array json_remove json_set json_type json_value_array lax_bool lax_float64",
    "lax_int64 lax_string parse_bignumeric parse_datetime parse_json parse_numeric parse_time parse_timestamp range_bucket",
    "range_contains range_end range_overlaps range_start regexp_extract_all safe_add safe_divide safe_multiply safe_negate",
    "safe_subtract sec sech sha1 sha256 sha512 sinh st_asbinary st_asgeojson st_astext st_azimuth st_buffer st_centroid",
    "st_closestpoint st_contains st_coveredby st_covers st_difference st_dimension st_disjoint st_dwithin st_endpoint",
    "st_equals st_geogfromgeojson st_geogfromtext st_geogfromwkb st_geogpoint st_geogpointfromgeohash st_geohash",
    "st_intersection st_intersects st_isempty st_makeline st_makepolygon st_npoints st_perimeter st_simplify st_snaptogrid",
    "st_startpoint st_touches st_union st_within string string_array tanh timestamp_micros timestamp_millis timestamp_seconds",
    "to_code_points",
  ],
});
