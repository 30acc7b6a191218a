/** Snowflake's grammar as sqlfluff has it, without what that takes and Snowflake has not got (https://docs.snowflake.com/en/sql-reference/constructs). */
import { sqlFluff } from "../unexecuted/grammar.ts";

export const SNOWFLAKE_GRAMMAR = sqlFluff("snowflake", [
  { what: "FILTER of an aggregate", word: "FILTER" },
  { what: "a WINDOW clause", word: "WINDOW" },
  { what: "a frame of groups", word: "GROUPS", kind: "frame_clause" },
  { what: "EXCLUDE in a frame", word: "EXCLUDE", kind: "frame_clause" },
  { what: "SYMMETRIC", word: "SYMMETRIC" },
  { what: "SIMILAR TO", word: "SIMILAR" },
  { what: "ALL of INTERSECT or EXCEPT", word: "ALL", kind: "set_operator_not_union" },
]);
