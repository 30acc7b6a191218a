/**
 * Functions of MySQL and MariaDB that the catalogue does not have, and that read nothing but their arguments and change nothing:
 * a caller's statement may name these and no others (decisions L9). From the manuals:
 * https://dev.mysql.com/doc/refman/9.4/en/built-in-function-reference.html and https://mariadb.com/kb/en/built-in-functions/.
 * Functions of the session, of locks, of replication, of keyrings, audits and version tokens are left out, and so is what waits.
 */
export const MYSQL_PURE_FUNCTIONS: ReadonlySet<string> = new Set(
  [
    // texts
    "bin char_length character_length elt export_set field find_in_set from_base64 to_base64 hex unhex insert instr lcase ucase",
    "locate make_set mid oct octet_length ord quote regexp_instr regexp_substr regexp_like regexp_replace rlike soundex space strcmp",
    "substr substring_index natural_sort_key sformat charset collation coercibility",
    // numbers
    "conv crc32 crc32c truncate pow ceiling log2 bit_count isnull nvl nvl2 ifnull if",
    // dates and times
    "adddate subdate date_add date_sub addtime subtime timediff datediff timestampdiff timestampadd convert_tz curdate curtime utc_date",
    "utc_time utc_timestamp date_format time_format str_to_date from_unixtime unix_timestamp from_days to_days to_seconds makedate",
    "maketime sec_to_time time_to_sec period_add period_diff dayname monthname dayofmonth dayofweek dayofyear weekday weekofyear",
    "yearweek week year quarter month day hour minute second microsecond add_months months_between get_format timestamp time date",
    // JSON
    "json_array json_array_append json_array_insert json_array_intersect json_compact json_contains json_contains_path json_depth",
    "json_detailed json_equals json_exists json_extract json_insert json_keys json_key_value json_length json_loose json_merge_patch",
    "json_merge_preserve json_normalize json_object json_object_filter_keys json_object_to_array json_overlaps json_pretty json_query",
    "json_quote json_remove json_replace json_schema_valid json_search json_set json_storage_size json_type json_unquote json_valid",
    "json_value json_arrayagg json_objectagg",
    // aggregates
    "group_concat std stddev variance median",
    // digests, packing, addresses, identifiers
    "md5 sha sha1 sha2 compress uncompress uncompressed_length inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv6",
    "is_ipv4_compat is_ipv4_mapped is_uuid uuid_to_bin bin_to_uuid",
    // vectors
    "string_to_vector to_vector vector_to_string from_vector vector_dim vec_fromtext vec_totext vec_distance_euclidean",
    "vec_distance_cosine vec_distance",
    // geometry
    "point linestring polygon multipoint multilinestring multipolygon geometrycollection mbrcontains mbrcoveredby mbrcovers mbrdisjoint",
    "mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin st_area st_asbinary st_aswkb st_asgeojson st_astext st_aswkt st_boundary",
    "st_buffer st_centroid st_contains st_convexhull st_crosses st_difference st_dimension st_disjoint st_distance st_distance_sphere",
    "st_endpoint st_envelope st_equals st_exteriorring st_frechetdistance st_geohash st_geomcollfromtext st_geomfromgeojson",
    "st_geomfromtext st_geomfromwkb st_geometryfromtext st_geometryn st_geometrytype st_hausdorffdistance st_interiorringn",
    "st_intersection st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid st_latfromgeohash st_latitude st_length",
    "st_lineinterpolatepoint st_linefromtext st_longfromgeohash st_longitude st_makeenvelope st_numgeometries st_numinteriorring",
    "st_numpoints st_overlaps st_pointatdistance st_pointfromgeohash st_pointfromtext st_pointn st_pointonsurface st_polyfromtext",
    "st_relate st_simplify st_srid st_startpoint st_swapxy st_symdifference st_touches st_transform st_union st_validate st_within",
    "st_x st_y",
  ].flatMap((names) => names.split(" ")),
);
