/**
 * Functions of Trino, Athena and Canner that the catalogue does not have, and that read nothing but their arguments and change
 * nothing (docs/decisions/0019-functions.md). From the manual: https://trino.io/docs/current/functions/list.html. Functions of the
 * session, of chance, of models, those that raise on purpose, and those over functions are left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const TRINO_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "format_datetime format_number json_extract_scalar json_format regexp_extract soundex to_base to_base32 to_base64",
    "to_iso8601 url_decode url_encode url_extract_fragment url_extract_host url_extract_parameter url_extract_path",
    "url_extract_protocol url_extract_query",
  ],
  bigint: [
    "bit_count checksum count_if day_of_month day_of_year hamming_distance levenshtein_distance week_of_year year_of_week",
  ],
  double: ["st_area st_distance st_length st_x st_y"],
  date: ["from_iso8601_date"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "any_value approx_most_frequent approx_percentile approx_set arbitrary array_distinct array_except",
    "array_histogram array_intersect array_max array_min array_remove array_sort array_union arrays_overlap",
    "at_timezone beta_cdf bing_tile bing_tile_at bing_tile_quadkey bing_tile_zoom_level bitwise_and bitwise_and_agg",
    "bitwise_left_shift bitwise_not bitwise_or bitwise_or_agg bitwise_right_shift bitwise_right_shift_arithmetic bitwise_xor",
    "bitwise_xor_agg chr codepoint combinations contains_sequence cosine_distance cosine_similarity crc32 day_of_week",
    "dot_product euclidean_distance flatten from_base from_base32 from_base64 from_base64url from_big_endian_32",
    "from_big_endian_64 from_geojson_geometry from_hex from_ieee754_32 from_ieee754_64 from_iso8601_timestamp",
    "from_iso8601_timestamp_nanos from_unixtime_nanos from_utf8 geometric_mean great_circle_distance histogram hmac_md5",
    "hmac_sha1 hmac_sha256 hmac_sha512 human_readable_seconds infinity inverse_beta_cdf inverse_normal_cdf is_finite",
    "is_infinite is_json_scalar is_nan json_array_contains json_array_get json_extract json_parse json_size kurtosis",
    "luhn_check map map_agg map_concat map_entries map_from_entries map_keys map_union map_values merge multimap_agg",
    "multimap_from_entries murmur3 nan ngrams normal_cdf numeric_histogram parse_datetime parse_duration regexp_extract_all",
    "regexp_position regexp_split sha1 sha256 sha512 skewness slice split split_to_map split_to_multimap spooky_hash_v2_32",
    "spooky_hash_v2_64 st_asbinary st_astext st_boundary st_buffer st_centroid st_contains st_convexhull st_crosses",
    "st_difference st_dimension st_disjoint st_envelope st_equals st_geometryfromtext st_geomfrombinary st_intersection",
    "st_intersects st_isempty st_isvalid st_linefromtext st_numpoints st_overlaps st_point st_polygon st_relate st_touches",
    "st_union st_within t_cdf t_pdf timezone_hour timezone_minute to_base64url to_big_endian_32 to_big_endian_64",
    "to_geojson_geometry to_geometry to_ieee754_32 to_ieee754_64 to_milliseconds to_spherical_geography to_utf8 trim_array",
    "url_extract_port wilson_interval_lower wilson_interval_upper with_timezone word_stem xxhash64 yow zip",
  ],
});
