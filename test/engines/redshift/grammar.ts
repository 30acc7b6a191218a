/**
 * Redshift's grammar as sqlfluff has it, without what that takes from PostgreSQL's and Redshift has not got:
 * https://docs.aws.amazon.com/redshift/latest/dg/c_unsupported-postgresql-features.html, and the pages of SELECT, of window functions and
 * of conditions, whose syntax does not have them.
 */
import { sqlFluff } from "../unexecuted/grammar.ts";

export const REDSHIFT_GRAMMAR = sqlFluff("redshift", [
  { what: "LATERAL", word: "LATERAL" },
  { what: "FILTER of an aggregate", word: "FILTER" },
  { what: "FETCH", word: "FETCH" },
  { what: "DISTINCT ON", word: "ON", kind: "select_clause_modifier" },
  { what: "VALUES as a table", kind: "values_clause" },
  { what: "a WINDOW clause", word: "WINDOW" },
  { what: "a frame of groups", word: "GROUPS", kind: "frame_clause" },
  { what: "a frame of a range", word: "RANGE", kind: "frame_clause" },
  { what: "EXCLUDE in a frame", word: "EXCLUDE", kind: "frame_clause" },
  { what: "IS DISTINCT FROM", word: "DISTINCT", kind: "expression" },
  { what: "an array of PostgreSQL's", kind: "typed_array_literal" },
  { what: "an array of PostgreSQL's", kind: "array_literal" },
  { what: "an operator of json", word: "->" },
  { what: "an operator of json", word: "->>" },
  { what: "an operator of json", word: "@>" },
  { what: "an operator of json", word: "#>>" },
  { what: "TABLESAMPLE", word: "TABLESAMPLE" },
]);
