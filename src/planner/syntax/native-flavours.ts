/** How sources write what a modeller carries over to them: lexical rules, and names they do not have (`native.ts`). */

import type { NativeSpellings } from "./native-spellings.ts";

/** The lexical rules of a dialect, as far as finding the ends of strings, names and comments needs them. */
export interface NativeFlavour {
  readonly name: string;
  /** Opening and closing character of quoted names; the closing one is doubled inside. */
  readonly nameQuotes: readonly (readonly [open: string, close: string])[];
  /** Characters around strings; doubled inside. */
  readonly stringQuotes: readonly string[];
  /** A backslash in a string escapes the next character. */
  readonly backslashEscapes: boolean;
  /** `E'…'` has backslash escapes. */
  readonly escapeStrings: boolean;
  /** `$$…$$` and `$tag$…$tag$` are strings. */
  readonly dollarQuotes: boolean;
  /** What begins a comment up to the end of the line. */
  readonly lineComments: readonly string[];
  readonly nestedComments: boolean;
  /** Words a query may begin with, apart from "(". */
  readonly queryWords: readonly string[];
  /**
   * What the source calls types and functions that it has under another name than the input language (decisions K1). Names
   * that it would understand itself are not in here.
   */
  readonly spellings: NativeSpellings;
}

export const POSTGRES_FLAVOUR: NativeFlavour = {
  name: "postgres",
  nameQuotes: [['"', '"']],
  stringQuotes: ["'"],
  backslashEscapes: false,
  escapeStrings: true,
  dollarQuotes: true,
  lineComments: ["--"],
  nestedComments: true,
  queryWords: ["select", "with", "values", "table"],
  spellings: {
    types: {
      double: "double precision",
      float64: "double precision",
      float32: "real",
      string: "text",
      clob: "text",
      nvarchar: "varchar",
      varchar2: "varchar",
      datetime: "timestamp",
      tinyint: "smallint",
      mediumint: "integer",
      int16: "smallint",
      int32: "integer",
      int64: "bigint",
      number: "numeric",
      blob: "bytea",
      bytes: "bytea",
      varbinary: "bytea",
    },
    functions: {
      nvl: { as: "coalesce" },
      ifnull: { as: "coalesce" },
      // With three or four arguments it is that of an extension.
      instr: { as: "strpos", arguments: 2 },
      len: { as: "length" },
      ucase: { as: "upper" },
      lcase: { as: "lower" },
      mid: { as: "substr" },
      startswith: { as: "starts_with" },
      truncate: { as: "trunc" },
      rand: { as: "random" },
    },
  },
};

export const DUCKDB_FLAVOUR: NativeFlavour = {
  ...POSTGRES_FLAVOUR,
  name: "duckdb",
  queryWords: [...POSTGRES_FLAVOUR.queryWords, "from"],
  spellings: {
    types: {
      float64: "double",
      float32: "real",
      clob: "text",
      varchar2: "varchar",
      mediumint: "integer",
      bytes: "blob",
      jsonb: "json",
    },
    functions: {
      nvl: { as: "coalesce" },
      mid: { as: "substr" },
      btrim: { as: "trim" },
      startswith: { as: "starts_with" },
      truncate: { as: "trunc" },
      rand: { as: "random" },
    },
  },
};
