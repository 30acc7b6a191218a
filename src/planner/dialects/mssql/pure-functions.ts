/**
 * Functions of SQL Server that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual: https://learn.microsoft.com/en-us/sql/t-sql/functions/functions. Functions
 * of the session, of metadata, of security, cursors, files and other servers (OPENROWSET, OPENQUERY), of errors and of chance are
 * left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const MSSQL_PURE_FUNCTIONS: FunctionList = functionList({
  text: ["json_modify json_value nchar parsename quotename replicate soundex space str string_escape stuff"],
  bigint: [
    "binary_checksum bit_count charindex checksum count_big datalength difference isdate isjson isnumeric patindex unicode",
  ],
  date: ["datefromparts eomonth"],
  timestamp: ["datetime2fromparts"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "atn2 checksum_agg choose compress cot datetimefromparts datetimeoffsetfromparts decompress get_bit grouping_id hashbytes",
    "iif isnull json_path_exists json_query left_shift log10 right_shift set_bit smalldatetimefromparts square switchoffset",
    "timefromparts todatetimeoffset",
  ],
});
