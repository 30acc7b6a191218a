/** Names, strings and comments of MySQL, MariaDB and Doris (https://dev.mysql.com/doc/refman/8.4/en/language-structure.html). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

export const MYSQL_LEXICAL: LexicalRules = {
  name: "mysql",
  nameQuotes: [["`", "`"]],
  nameBackslashes: false,
  wordSigns: "",
  folding: "ignore",
  bareNames: undefined,
  reserved: new Set(),
  quotedPaths: false,
  stringQuotes: ["'", '"'],
  quoteInString: "doubled",
  linesInStrings: true,
  backslashEscapes: true,
  keptEscapes: "%_",
  joinsLines: false,
  escapeStrings: false,
  dollarQuotes: false,
  tripleQuotes: false,
  stringPrefixes: { n: "plain", b: "verbatim", x: "verbatim" },
  // Two dashes are a comment only in front of a blank: `5--1` is 6.
  lineComments: ["#", "-- ", "--\t", "--\n", "--\r"],
  nestedComments: false,
  executedComments: true,
  queryWords: ["select", "with", "values", "table"],
  tableStrings: "name",
  correlatedPaths: false,
  recursesUnasked: false,
  scalarWith: false,
  hints: "index",
  clauseWords: ["straight_join"],
};
