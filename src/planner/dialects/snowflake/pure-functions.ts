/**
 * Functions of Snowflake that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual: https://docs.snowflake.com/en/sql-reference/functions-all. Functions of the
 * session, of the account (SYSTEM$ and GET_DDL among them), of stages, sequences, chance and models are left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const SNOWFLAKE_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "base64_decode_string dayname hex_decode_string hex_encode insert listagg md5_hex monthname parse_url sha1 sha1_hex sha2",
    "sha2_hex soundex space strtok to_varchar try_hex_decode_string",
  ],
  bigint: ["array_size bitand bitmap_count charindex editdistance regexp_instr unicode"],
  double: ["haversine st_area st_distance st_length st_x st_y"],
  date: ["date_from_parts datefromparts try_to_date"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "any_value approx_percentile approx_top_k approximate_similarity array_compact array_construct array_construct_compact",
    "array_distinct array_except array_flatten array_insert array_intersection array_max array_min array_prepend array_remove",
    "array_remove_at array_slice array_sort array_union_agg array_unique_agg arrays_overlap arrays_to_object arrays_zip",
    "as_array as_binary as_boolean as_char as_date as_decimal as_double as_integer as_number as_object as_real as_time",
    "as_timestamp_ltz as_timestamp_ntz as_timestamp_tz as_varchar base64_decode_binary base64_encode bitand_agg",
    "bitmap_bit_position bitmap_bucket_number bitnot bitor bitor_agg bitshiftleft bitshiftright bitxor bitxor_agg booland",
    "boolnot boolor boolxor check_json check_xml compress contains convert_timezone dayofweekiso decode decompress_binary",
    "decompress_string div0 div0null endswith equal_null get get_ignore_case get_path getbit grouping_id h3_cell_to_parent",
    "h3_grid_distance h3_latlng_to_cell hash hash_agg hex_decode_binary hll iff is_array is_binary is_boolean is_char is_date",
    "is_date_value is_decimal is_double is_integer is_null_value is_object is_real is_time is_timestamp_ltz is_timestamp_ntz",
    "is_timestamp_tz is_varchar jarowinkler_similarity map_cat map_contains_key map_delete map_insert map_keys map_pick",
    "map_size md5_number_lower64 md5_number_upper64 minhash months_between next_day nullifzero nvl2 object_agg",
    "object_construct object_construct_keep_null object_delete object_insert object_keys object_pick parse_ip parse_json",
    "parse_xml previous_day regexp_substr_all rtrimmed_length skew soundex_p123 split square st_asgeojson st_astext st_aswkb",
    "st_aswkt st_azimuth st_buffer st_centroid st_contains st_coveredby st_covers st_dimension st_dwithin st_geogfromgeohash",
    "st_geogfromtext st_geographyfromwkt st_geohash st_geometryfromwkt st_intersection st_intersects st_makeline st_makepoint",
    "st_makepolygon st_npoints st_numpoints st_perimeter st_point st_polygon st_simplify st_within strip_null_value",
    "strtok_to_array time_from_parts time_slice timefromparts timestamp_from_parts timestamp_ntz_from_parts",
    "timestampfromparts to_array to_binary to_boolean to_decimal to_double to_geography to_geometry to_numeric to_object",
    "to_time to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_variant try_base64_decode_binary try_base64_decode_string",
    "try_hex_decode_binary try_parse_json try_to_binary try_to_boolean try_to_decimal try_to_double try_to_geography",
    "try_to_geometry try_to_number try_to_numeric try_to_time try_to_timestamp try_to_timestamp_ntz typeof weekiso xmlget",
    "yearofweek yearofweekiso zeroifnull",
  ],
});
