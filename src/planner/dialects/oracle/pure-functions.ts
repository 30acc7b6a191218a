/**
 * Functions of Oracle that the catalogue does not have, and that read nothing but their arguments and change nothing
 * (docs/decisions/0019-functions.md). From the manual:
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Functions.html. Functions of the session (SYS_CONTEXT,
 * USERENV, UID), of packages (UTL_, DBMS_), of addresses, models, sequences and XML are left out.
 */
import { type FunctionList, functionList } from "../../functions/catalogue.ts";

export const ORACLE_PURE_FUNCTIONS: FunctionList = functionList({
  text: ["asciistr dump listagg nls_initcap nls_lower nls_upper rawtohex soundex"],
  bigint: ["bitand instr instrb lengthb ora_hash regexp_count regexp_instr vsize"],
  double: ["to_binary_double"],
  // Functions with several result types, or with one that the planner does not compute with.
  other: [
    "bin_to_num cosh decode from_tz hextoraw lnnvl median months_between nanvl nchr new_time next_day nlssort numtodsinterval",
    "numtoyminterval nvl2 rawtonhex remainder sinh standard_hash stats_mode substrb sys_extract_utc tanh to_binary_float",
    "to_clob to_dsinterval to_multi_byte to_nchar to_single_byte to_timestamp_tz to_yminterval tz_offset unistr",
  ],
});
