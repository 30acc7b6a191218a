/** Names, strings and comments of SQL Server (https://learn.microsoft.com/en-us/sql/t-sql/data-types/constants-transact-sql). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

export const MSSQL_LEXICAL: LexicalRules = {
  name: "mssql",
  nameQuotes: [
    ["[", "]"],
    ['"', '"'],
  ],
  nameBackslashes: false,
  quotesInNames: true,
  wordSigns: "@#",
  folding: "ignore",
  foldsManifestNames: false,
  bareNames: undefined,
  reserved: new Set(),
  quotedPaths: false,
  stringQuotes: ["'"],
  quoteInString: "doubled",
  linesInStrings: true,
  backslashEscapes: false,
  keptEscapes: "",
  // https://learn.microsoft.com/en-us/sql/t-sql/language-elements/sql-server-utilities-statements-backslash
  joinsLines: true,
  escapeStrings: false,
  dollarQuotes: false,
  tripleQuotes: false,
  stringPrefixes: { n: "plain" },
  lineComments: ["--"],
  nestedComments: true,
  executedComments: false,
  queryWords: ["select", "with", "values"],
  tableStrings: undefined,
  correlatedPaths: false,
  recursesUnasked: true,
  scalarWith: false,
  hints: "with",
  clauseWords: [],
};
