/** Names, strings and comments of Snowflake (https://docs.snowflake.com/en/sql-reference/data-types-text). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

/**
 * Words that are no names without quotes: reserved, or no reference to a column or a table
 * (https://docs.snowflake.com/en/sql-reference/reserved-keywords).
 */
const RESERVED = [
  "all alter and any as between by case cast check column connect constraint create cross current current_date current_time",
  "current_timestamp current_user delete distinct drop else exists false following for from full grant group having ilike in",
  "increment inner insert intersect into is join lateral left like localtime localtimestamp minus natural not null of on or order",
  "qualify regexp revoke right rlike row rows sample select set some start table tablesample then to trigger true try_cast union",
  "unique update using values when whenever where with",
];

export const SNOWFLAKE_LEXICAL: LexicalRules = {
  name: "snowflake",
  nameQuotes: [['"', '"']],
  nameBackslashes: false,
  quotesInNames: true,
  wordSigns: "",
  folding: "upper",
  foldsManifestNames: true,
  bareNames: undefined,
  reserved: new Set(RESERVED.flatMap((line) => line.split(" "))),
  quotedPaths: false,
  stringQuotes: ["'"],
  quoteInString: "doubled",
  linesInStrings: true,
  backslashEscapes: true,
  keptEscapes: "",
  joinsLines: false,
  escapeStrings: false,
  dollarQuotes: true,
  tripleQuotes: false,
  stringPrefixes: { x: "verbatim" },
  lineComments: ["--", "//"],
  nestedComments: false,
  executedComments: false,
  assignsVariables: false,
  queryWords: ["select", "with", "values"],
  tableStrings: undefined,
  correlatedPaths: false,
  recursesUnasked: false,
  scalarWith: false,
  hints: undefined,
  clauseWords: ["asof", "match_condition", "at", "before", "changes"],
};
