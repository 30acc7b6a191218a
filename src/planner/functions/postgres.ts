/**
 * Functions of PostgreSQL 18 that the catalogue lacks and that take and return ordinary values. Their meaning is known,
 * so a source without them must not run another function of the same name (docs/decisions/0019-functions.md#decision).
 */
const NAMES: ReadonlySet<string> = new Set(
  [
    "abbrev acosd area array_dims array_fill array_ndims array_positions array_reverse array_sample",
    "array_shuffle array_sort array_to_json array_to_tsvector asind atan2d atand bit_count box casefold center",
    "circle convert_from convert_to cosd cotd crc32 crc32c date_add date_subtract datemultirange daterange diagonal",
    "diameter enum_first enum_last enum_range erf erfc family format gamma generate_subscripts get_bit get_byte",
    "height host hostmask int4multirange int4range int8multirange int8range is_normalized isclosed isempty isopen",
    "json_agg_strict json_object",
    "json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict",
    "json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset",
    "json_to_tsvector jsonb_agg_strict",
    "jsonb_insert jsonb_object jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict",
    "jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query",
    "jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz",
    "jsonb_path_query_tz jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty",
    "jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector",
    "lgamma lower_inc lower_inf lseg make_timestamptz masklen min_scale multirange",
    "netmask network normalize npoints nummultirange numnode numrange parse_ident pclose phraseto_tsquery",
    "plainto_tsquery point polygon popen querytree quote_ident radius random_normal",
    "range_agg range_intersect_agg range_merge regexp_instr row_to_json scale",
    "set_bit set_byte set_masklen setweight sha224 sha256 sha384 sha512 sind slope strip tand",
    "timeofday timezone to_ascii to_bin to_number to_oct to_tsquery to_tsvector trim_array trim_scale ts_delete",
    "ts_filter ts_headline ts_rank ts_rank_cd tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange",
    "tsvector_to_array unicode_assigned unistr upper_inc upper_inf uuid_extract_timestamp uuid_extract_version",
    "uuidv4 uuidv7 websearch_to_tsquery width xml_is_well_formed xml_is_well_formed_content",
    "xml_is_well_formed_document xmlagg xmlcomment xmltext xmlvalidate xpath xpath_exists",
  ]
    .join(" ")
    .split(" "),
);

/** Whether PostgreSQL has a function of this lower-case name and the catalogue lacks it. */
export function isPostgresFunction(name: string): boolean {
  return NAMES.has(name);
}
