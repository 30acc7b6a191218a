/** Names, strings and comments of DuckDB (https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers). */
import type { LexicalRules } from "../../syntax/lexical-rules.ts";

/** Reserved by DuckDB and not by PostgreSQL. */
const RESERVED: ReadonlySet<string> = new Set(
  "anti asof at describe glob lambda pivot pivot_longer pivot_wider positional qualify semi show summarize unpivot".split(
    " ",
  ),
);

export const DUCKDB_LEXICAL: LexicalRules = {
  name: "duckdb",
  nameQuotes: [['"', '"']],
  nameBackslashes: false,
  quotesInNames: true,
  wordSigns: "",
  folding: "ignore",
  foldsManifestNames: false,
  // Case is folded even inside quotes; they are for characters and words only.
  bareNames: /^[a-z_][a-z0-9_]*$/,
  reserved: RESERVED,
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
  assignsVariables: false,
  queryWords: ["select", "with", "values", "table", "from"],
  tableStrings: "file",
  correlatedPaths: false,
  recursesUnasked: false,
  scalarWith: false,
  hints: undefined,
  clauseWords: ["asof", "positional", "semi", "anti", "sample"],
};
