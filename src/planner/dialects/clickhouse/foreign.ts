/**
 * Constructs of the input language that ClickHouse lacks in a modeller's own text. `bytea` is another name of String there: the
 * answer would be a text.
 */
import type { NativeForeign } from "../../syntax/native-foreign.ts";

const TYPES = "string bytea timestamptz float4 float8 float32 float64 int16 int32 int64 int8 number";
const OWN = "String Float32 Float64 Int8 Int16 Int32 Int64 INT8";
const FUNCTIONS = "nvl string_agg btrim to_timestamp split_part make_date";

export const CLICKHOUSE_FOREIGN: NativeForeign = {
  doubleColon: false,
  zonedTimestamps: true,
  types: new Set(TYPES.split(" ")),
  exactTypes: new Set(OWN.split(" ")),
  functions: new Set(FUNCTIONS.split(" ")),
};
