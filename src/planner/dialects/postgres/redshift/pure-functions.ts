/**
 * Functions of Redshift that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual: https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html.
 * Functions of the system and the session, those of the leader node, of models and Lambda, and those of chance are left out.
 */
import { type FunctionList, functionList } from "../../../functions/catalogue.ts";

export const REDSHIFT_PURE_FUNCTIONS: FunctionList = functionList({
  text: ["func_sha1 json_extract_array_element_text json_serialize listagg replicate sha sha1 sha2 soundex"],
  bigint: [
    "charindex crc32 date_cmp date_cmp_timestamp difference octet_length octetindex regexp_count regexp_instr st_srid strtol",
    "timestamp_cmp timestamp_cmp_date",
  ],
  double: ["dexp dlog1 dlog10 dsqrt st_area st_distance st_length st_x st_y"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "array array_concat array_flatten bpcharcmp bttext_pattern_cmp can_json_parse convert_timezone decode fnv_hash from_hex",
    "from_varbyte get_array_length interval_cmp is_array is_bigint is_boolean is_char is_decimal is_float is_integer",
    "is_object is_scalar is_smallint is_valid_json is_valid_json_array is_varchar json_parse months_between next_day nvl2",
    "object split_to_array st_asgeojson st_astext st_buffer st_centroid st_contains st_distancesphere st_dwithin",
    "st_geomfromtext st_geomfromwkb st_intersects st_makepoint st_point st_setsrid st_within subarray to_varbyte",
  ],
});
