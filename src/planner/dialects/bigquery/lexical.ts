/** Names, strings and comments of BigQuery (https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

export const BIGQUERY_LEXICAL: LexicalRules = {
  name: "bigquery",
  nameQuotes: [["`", "`"]],
  nameBackslashes: true,
  wordSigns: "",
  folding: "ignore",
  bareNames: undefined,
  reserved: new Set(),
  quotedPaths: true,
  stringQuotes: ["'", '"'],
  // Two quotes end a string and begin another.
  quoteInString: "backslash",
  linesInStrings: false,
  backslashEscapes: true,
  keptEscapes: "",
  joinsLines: false,
  escapeStrings: false,
  dollarQuotes: false,
  tripleQuotes: true,
  stringPrefixes: { r: "raw", b: "bytes", rb: "bytes", br: "bytes" },
  lineComments: ["--", "#"],
  nestedComments: false,
  executedComments: false,
  queryWords: ["select", "with", "from"],
  tableStrings: undefined,
  correlatedPaths: true,
  recursesUnasked: false,
  scalarWith: false,
  hints: undefined,
  clauseWords: [],
};
