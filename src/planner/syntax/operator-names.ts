/** The operators of the input language, as the tree names them. */

export type UnaryOperator = "-" | "+" | "~" | "not";

export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export type BinaryOperator =
  | ComparisonOperator
  | "+"
  | "-"
  | "*"
  | "/"
  | "//"
  | "%"
  | "^"
  | "||"
  | "&"
  | "|"
  | "#"
  | "<<"
  | ">>"
  | "->"
  | "->>"
  | "#>"
  | "#>>"
  | "#-"
  | "@>"
  | "<@"
  | "?"
  | "?|"
  | "?&"
  | "&&"
  | "^@"
  | "~"
  | "~*"
  | "!~"
  | "!~*"
  | "is distinct from"
  | "is not distinct from"
  | "overlaps";

/** Operators that match a text against a pattern. */
export type PatternOperator = "like" | "not like" | "ilike" | "not ilike" | "~" | "~*" | "!~" | "!~*";
