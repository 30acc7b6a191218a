/** Constructs of the input language that Trino, Athena and Canner lack in a modeller's own text. */
import type { NativeForeign } from "../../syntax/native-foreign.ts";

const TYPES =
  "string text bytea bytes int2 int4 int8 int16 int32 int64 float4 float8 float32 float64 datetime timestamptz number clob blob nvarchar";
const FUNCTIONS = "nvl ifnull instr len ucase lcase initcap string_agg btrim make_date age";

export const TRINO_FOREIGN: NativeForeign = {
  doubleColon: true,
  zonedTimestamps: false,
  types: new Set(TYPES.split(" ")),
  functions: new Set(FUNCTIONS.split(" ")),
  joinsTexts: true,
};
