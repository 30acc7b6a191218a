/** PostgreSQL's names, strings and comments (https://www.postgresql.org/docs/current/sql-syntax-lexical.html). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

export const POSTGRES_LEXICAL: LexicalRules = {
  name: "postgres",
  nameQuotes: [['"', '"']],
  nameBackslashes: false,
  wordSigns: "",
  folding: "lower",
  // Unquoted names fold to lower case: anything else needs its quotes.
  bareNames: /^[a-z_][a-z0-9_$]*$/,
  reserved: new Set(),
  quotedPaths: false,
  stringQuotes: ["'"],
  quoteInString: "doubled",
  linesInStrings: true,
  backslashEscapes: false,
  keptEscapes: "",
  joinsLines: false,
  escapeStrings: true,
  dollarQuotes: true,
  tripleQuotes: false,
  stringPrefixes: { e: "verbatim", n: "verbatim", b: "verbatim", x: "verbatim", "u&": "verbatim" },
  lineComments: ["--"],
  nestedComments: true,
  executedComments: false,
  queryWords: ["select", "with", "values", "table"],
  tableStrings: undefined,
  correlatedPaths: false,
  recursesUnasked: false,
  scalarWith: false,
  hints: undefined,
  clauseWords: [],
};
