/** Names, strings and comments of Spark and Databricks (https://spark.apache.org/docs/latest/sql-ref-literals.html). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

export const SPARK_LEXICAL: LexicalRules = {
  name: "spark",
  nameQuotes: [["`", "`"]],
  nameBackslashes: false,
  wordSigns: "",
  folding: "ignore",
  bareNames: undefined,
  reserved: new Set(),
  quotedPaths: false,
  stringQuotes: ["'", '"'],
  // Strings side by side are one string, also without a blank between them before version 4.0.
  quoteInString: "backslash",
  linesInStrings: true,
  backslashEscapes: true,
  keptEscapes: "%_",
  joinsLines: false,
  escapeStrings: false,
  dollarQuotes: false,
  tripleQuotes: false,
  stringPrefixes: { r: "raw", x: "verbatim" },
  lineComments: ["--"],
  nestedComments: true,
  executedComments: false,
  queryWords: ["select", "with", "values", "table", "from"],
  tableStrings: undefined,
  correlatedPaths: false,
  recursesUnasked: false,
  scalarWith: false,
  hints: undefined,
  clauseWords: ["semi", "anti", "cluster", "distribute", "sort"],
};
