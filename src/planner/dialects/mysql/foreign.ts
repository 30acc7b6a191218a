/**
 * Constructs of the input language that MySQL and MariaDB both lack in a modeller's own text
 * (https://dev.mysql.com/doc/refman/8.4/en/cast-functions.html). MariaDB also takes INTEGER and VARCHAR in CAST; MySQL does not.
 */
import type { NativeForeign } from "../../syntax/native-foreign.ts";

const TYPES =
  "string text varchar bigint int integer int2 int4 int8 int16 int32 int64 smallint tinyint boolean bool bytea bytes numeric number timestamp timestamptz float4 float8 float32 float64";
const FUNCTIONS =
  "date_trunc date_part split_part initcap string_agg strpos btrim starts_with make_date to_timestamp array_agg regexp_match";

export const MYSQL_FOREIGN: NativeForeign = {
  doubleColon: true,
  zonedTimestamps: true,
  types: new Set(TYPES.split(" ")),
  functions: new Set(FUNCTIONS.split(" ")),
};
