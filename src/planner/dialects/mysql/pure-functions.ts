/**
 * Functions of MySQL and MariaDB that the catalogue does not have, and that read nothing but their arguments and change nothing:
 * a caller's statement may name these and no others (docs/decisions/0019-functions.md). From the manuals:
 * https://dev.mysql.com/doc/refman/9.4/en/built-in-function-reference.html and https://mariadb.com/kb/en/built-in-functions/.
 * Functions of the session, of locks, of replication, of keyrings, audits and version tokens are left out, and so is what waits.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const MYSQL_PURE_FUNCTIONS: FunctionList = functionList({
  text: [
    "bin bin_to_uuid conv date_format dayname elt export_set group_concat hex inet6_ntoa inet_ntoa insert json_pretty",
    "json_quote json_unquote json_value lcase make_set md5 monthname quote sha sha1 sha2 soundex space substring_index",
    "time_format to_base64 ucase",
  ],
  bigint: [
    "bit_count crc32 dayofmonth find_in_set inet_aton instr json_depth json_length locate octet_length ord period_add",
    "period_diff regexp_instr st_srid strcmp time_to_sec to_days to_seconds unix_timestamp weekofyear yearweek",
  ],
  double: ["log2 st_area st_distance st_distance_sphere st_length st_x st_y"],
  date: ["from_days makedate"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "add_months adddate addtime ceiling char_length character_length charset coercibility collation compress convert_tz",
    "crc32c curdate curtime date date_add date_sub datediff day dayofweek dayofyear field from_base64 from_unixtime",
    "from_vector geometrycollection get_format hour if ifnull inet6_aton is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6",
    "is_uuid isnull json_array json_array_append json_array_insert json_array_intersect json_arrayagg json_compact",
    "json_contains json_contains_path json_detailed json_equals json_exists json_extract json_insert json_key_value json_keys",
    "json_loose json_merge_patch json_merge_preserve json_normalize json_object json_object_filter_keys json_object_to_array",
    "json_objectagg json_overlaps json_query json_remove json_replace json_schema_valid json_search json_set",
    "json_storage_size json_type json_valid linestring maketime mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequals",
    "mbrintersects mbroverlaps mbrtouches mbrwithin median microsecond mid minute month months_between multilinestring",
    "multipoint multipolygon natural_sort_key nvl nvl2 oct point polygon pow quarter regexp_like regexp_replace regexp_substr",
    "rlike sec_to_time second sformat st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_boundary st_buffer st_centroid",
    "st_contains st_convexhull st_crosses st_difference st_dimension st_disjoint st_endpoint st_envelope st_equals",
    "st_exteriorring st_frechetdistance st_geohash st_geomcollfromtext st_geometryfromtext st_geometryn st_geometrytype",
    "st_geomfromgeojson st_geomfromtext st_geomfromwkb st_hausdorffdistance st_interiorringn st_intersection st_intersects",
    "st_isclosed st_isempty st_isring st_issimple st_isvalid st_latfromgeohash st_latitude st_linefromtext",
    "st_lineinterpolatepoint st_longfromgeohash st_longitude st_makeenvelope st_numgeometries st_numinteriorring st_numpoints",
    "st_overlaps st_pointatdistance st_pointfromgeohash st_pointfromtext st_pointn st_pointonsurface st_polyfromtext",
    "st_relate st_simplify st_startpoint st_swapxy st_symdifference st_touches st_transform st_union st_validate st_within",
    "std stddev str_to_date string_to_vector subdate substr subtime time timediff timestamp timestampadd timestampdiff",
    "to_vector truncate uncompress uncompressed_length unhex utc_date utc_time utc_timestamp uuid_to_bin variance",
    "vec_distance vec_distance_cosine vec_distance_euclidean vec_fromtext vec_totext vector_dim vector_to_string week weekday",
    "year",
  ],
});
