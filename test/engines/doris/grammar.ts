/**
 * Doris' grammar as sqlfluff has it, without what that takes from MySQL and Doris has not got: its own grammar is public
 * (https://github.com/apache/doris/blob/master/fe/fe-core/src/main/antlr4/org/apache/doris/nereids/DorisParser.g4).
 */
import { sqlFluff } from "../unexecuted/grammar.ts";

export const DORIS_GRAMMAR = sqlFluff("doris", [
  { what: "FILTER of an aggregate", word: "FILTER" },
  { what: "FETCH", word: "FETCH" },
  { what: "a WINDOW clause", word: "WINDOW" },
  { what: "a frame of groups", word: "GROUPS", kind: "frame_clause" },
  { what: "EXCLUDE in a frame", word: "EXCLUDE", kind: "frame_clause" },
  { what: "RECURSIVE before 4.1", word: "RECURSIVE" },
  { what: "IS DISTINCT FROM", word: "DISTINCT", kind: "expression" },
  { what: "a cast of PostgreSQL's", word: "::" },
]);
