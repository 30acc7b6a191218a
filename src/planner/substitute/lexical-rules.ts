/**
 * How each data source writes names, strings and comments, as far as finding tables in its SQL needs it.
 * A fact that is missing from a vendor's manual is the stricter one: what cannot be read is refused, never guessed.
 */
import type { DataSource } from "../plan.ts";
import { DUCKDB_FLAVOUR, type NativeFlavour, POSTGRES_FLAVOUR } from "../syntax/native-flavours.ts";

/**
 * What a word directly in front of a string makes of it: `verbatim` means the same in the input language, `plain` is a
 * string like any other, `raw` has no escapes, `delimited` is Oracle's `q'[…]'`, `bytes` has no counterpart.
 */
type StringPrefix = "verbatim" | "plain" | "raw" | "delimited" | "bytes";

export interface LexicalRules extends Omit<NativeFlavour, "spellings"> {
  /** By lower-case prefix. */
  readonly stringPrefixes: { readonly [prefix: string]: StringPrefix };
  /** `'''…'''` and `"""…"""`. */
  readonly tripleQuotes: boolean;
  /** A backslash in a quoted name escapes the next character. */
  readonly nameBackslashes: boolean;
  /** Escapes that keep their backslash, because LIKE reads them: `\%` is `\%`. */
  readonly keptEscapes: string;
  /** Signs that may also stand in a bare name, at its beginning too. */
  readonly wordSigns: string;
  /** What a bare name becomes; `ignore`: names are compared without case, quoted or not. */
  readonly folding: "lower" | "upper" | "exact" | "ignore";
  /** What a string is where a table stands: DuckDB's `'orders.csv'`, or the name that MySQL reads under ANSI_QUOTES. */
  readonly tableStrings: "file" | "name" | undefined;
  /** One quoted name may hold a whole path, and a bare project name may hold dashes. */
  readonly quotedPaths: boolean;
  /** `FROM t, t.items` reads an array of `t`. */
  readonly correlatedPaths: boolean;
  /** A common table is visible in itself without RECURSIVE. */
  readonly recursesUnasked: boolean;
  /** `WITH expression AS name`. */
  readonly scalarWith: boolean;
  /** Hints behind a table, which say nothing about its rows: `WITH (NOLOCK)`, `USE INDEX (i)`. */
  readonly hints: "with" | "index" | undefined;
  /** Words that end the name of a table here and are plain names elsewhere. */
  readonly clauseWords: readonly string[];
}

const POSTGRES: LexicalRules = {
  ...POSTGRES_FLAVOUR,
  stringPrefixes: { e: "verbatim", n: "verbatim", b: "verbatim", x: "verbatim", "u&": "verbatim" },
  tripleQuotes: false,
  nameBackslashes: false,
  keptEscapes: "",
  wordSigns: "",
  folding: "lower",
  tableStrings: undefined,
  quotedPaths: false,
  correlatedPaths: false,
  recursesUnasked: false,
  scalarWith: false,
  hints: undefined,
  clauseWords: [],
};

/** A fork of PostgreSQL 8.0, which read backslashes in every string. */
const REDSHIFT: LexicalRules = { ...POSTGRES, name: "redshift", backslashEscapes: true, correlatedPaths: true };

const DUCKDB: LexicalRules = {
  ...POSTGRES,
  ...DUCKDB_FLAVOUR,
  folding: "ignore",
  tableStrings: "file",
  clauseWords: ["asof", "positional", "semi", "anti", "sample"],
};

const TRINO: LexicalRules = {
  ...POSTGRES,
  name: "trino",
  escapeStrings: false,
  dollarQuotes: false,
  nestedComments: false,
  queryWords: ["select", "with", "values", "table"],
  stringPrefixes: { x: "verbatim", "u&": "verbatim" },
  folding: "ignore",
};

const MYSQL: LexicalRules = {
  ...POSTGRES,
  name: "mysql",
  nameQuotes: [["`", "`"]],
  stringQuotes: ["'", '"'],
  backslashEscapes: true,
  escapeStrings: false,
  dollarQuotes: false,
  // Two dashes are a comment only in front of a blank: `5--1` is 6.
  lineComments: ["#", "-- ", "--\t", "--\n", "--\r"],
  nestedComments: false,
  stringPrefixes: { n: "plain", b: "verbatim", x: "verbatim" },
  keptEscapes: "%_",
  folding: "ignore",
  tableStrings: "name",
  hints: "index",
  clauseWords: ["straight_join"],
};

const SPARK: LexicalRules = {
  ...POSTGRES,
  name: "spark",
  nameQuotes: [["`", "`"]],
  stringQuotes: ["'", '"'],
  backslashEscapes: true,
  escapeStrings: false,
  dollarQuotes: false,
  queryWords: ["select", "with", "values", "table", "from"],
  stringPrefixes: { r: "raw", x: "verbatim" },
  keptEscapes: "%_",
  folding: "ignore",
  clauseWords: ["semi", "anti", "cluster", "distribute", "sort"],
};

const BIGQUERY: LexicalRules = {
  ...POSTGRES,
  name: "bigquery",
  nameQuotes: [["`", "`"]],
  stringQuotes: ["'", '"'],
  backslashEscapes: true,
  escapeStrings: false,
  dollarQuotes: false,
  lineComments: ["--", "#"],
  nestedComments: false,
  queryWords: ["select", "with", "from"],
  stringPrefixes: { r: "raw", b: "bytes", rb: "bytes", br: "bytes" },
  tripleQuotes: true,
  nameBackslashes: true,
  folding: "ignore",
  quotedPaths: true,
  correlatedPaths: true,
};

const SNOWFLAKE: LexicalRules = {
  ...POSTGRES,
  name: "snowflake",
  backslashEscapes: true,
  escapeStrings: false,
  lineComments: ["--", "//"],
  nestedComments: false,
  queryWords: ["select", "with", "values"],
  stringPrefixes: { x: "verbatim" },
  folding: "upper",
  clauseWords: ["asof", "match_condition", "at", "before", "changes"],
};

const ORACLE: LexicalRules = {
  ...POSTGRES,
  name: "oracle",
  escapeStrings: false,
  dollarQuotes: false,
  nestedComments: false,
  queryWords: ["select", "with"],
  stringPrefixes: { n: "plain", q: "delimited", nq: "delimited" },
  wordSigns: "#",
  folding: "upper",
  recursesUnasked: true,
};

const MSSQL: LexicalRules = {
  ...POSTGRES,
  name: "mssql",
  nameQuotes: [
    ["[", "]"],
    ['"', '"'],
  ],
  escapeStrings: false,
  dollarQuotes: false,
  queryWords: ["select", "with", "values"],
  stringPrefixes: { n: "plain" },
  wordSigns: "@#",
  folding: "ignore",
  recursesUnasked: true,
  hints: "with",
};

const CLICKHOUSE: LexicalRules = {
  ...POSTGRES,
  name: "clickhouse",
  nameQuotes: [
    ['"', '"'],
    ["`", "`"],
  ],
  backslashEscapes: true,
  escapeStrings: false,
  lineComments: ["--", "# ", "#!"],
  nestedComments: false,
  queryWords: ["select", "with", "from"],
  stringPrefixes: { b: "verbatim", x: "verbatim" },
  nameBackslashes: true,
  keptEscapes: "%_",
  folding: "exact",
  scalarWith: true,
  clauseWords: [
    "final",
    "sample",
    "prewhere",
    "settings",
    "format",
    "array",
    "global",
    "any",
    "all",
    "semi",
    "anti",
  ].concat(["asof", "paste"]),
};

/** One row per data source. Canner and Athena speak Trino; files are read by DuckDB. */
export const LEXICAL_RULES: Readonly<Record<DataSource, LexicalRules>> = {
  athena: TRINO,
  bigquery: BIGQUERY,
  canner: TRINO,
  clickhouse: CLICKHOUSE,
  mssql: MSSQL,
  mysql: MYSQL,
  oracle: ORACLE,
  postgres: POSTGRES,
  redshift: REDSHIFT,
  snowflake: SNOWFLAKE,
  trino: TRINO,
  local_file: DUCKDB,
  s3_file: DUCKDB,
  minio_file: DUCKDB,
  gcs_file: DUCKDB,
  spark: SPARK,
  databricks: SPARK,
  doris: MYSQL,
  duckdb: DUCKDB,
};
