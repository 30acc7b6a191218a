/**
 * Rules for names, strings and comments of a source: one table per root of dialects (`dialects/<root>/lexical.ts`),
 * complete by type. Native SQL (`native.ts`), the search for tables in a source's SQL (`substitute/`) and printing
 * (`quoting.ts`) use it. Where a vendor's manual is silent, the table takes the stricter value: text that cannot be
 * read for certain is rejected.
 */
import type { NativeForeign } from "./native-foreign.ts";
import type { NativeSpellings } from "./native-spellings.ts";

/**
 * Effect of a prefix directly before a string: `verbatim` has the same meaning in the input language, `plain` changes
 * nothing, `raw` turns escapes off, `delimited` is Oracle's `q'[…]'`, `bytes` has no counterpart in the input language.
 */
export type StringPrefix = "verbatim" | "plain" | "raw" | "delimited" | "bytes";

export interface LexicalRules {
  readonly name: string;

  // ------------------------------------------------------------------------------------------------------ names
  /** Opening and closing character of quoted names; the closing one is doubled inside. The first are printed. */
  readonly nameQuotes: readonly [NameQuotes, ...(readonly NameQuotes[])];
  /** A backslash in a quoted name escapes the next character; names that would need one are neither read nor printed. */
  readonly nameBackslashes: boolean;
  /** A quoted name may contain its closing quote; if false, names that contain it are not printed. */
  readonly quotesInNames: boolean;
  /** Signs that may also stand in a bare name, at its beginning too. */
  readonly wordSigns: string;
  /** Case folding of a bare name; `ignore`: names are compared without case, quoted or not. */
  readonly folding: "lower" | "upper" | "exact" | "ignore";
  /**
   * A lower-case name in a manifest is printed as the source folds a bare name, not letter by letter
   * (docs/decisions/0017-names-without-case.md).
   */
  readonly foldsManifestNames: boolean;
  /**
   * Names in lower case that keep their meaning without quotes unless they are keywords of the source; `undefined`: all names are
   * quoted.
   */
  readonly bareNames: RegExp | undefined;
  /** Keywords of the source that need quotes as names, in addition to those of PostgreSQL (`keywords.ts`). */
  readonly reserved: ReadonlySet<string>;
  /** One quoted name may hold a whole path, and a bare project name may hold dashes. */
  readonly quotedPaths: boolean;

  // ---------------------------------------------------------------------------------------------------- strings
  /** Characters around strings. The first is printed. */
  readonly stringQuotes: readonly ["'", ...(readonly string[])];
  /**
   * How a string contains its quote. `backslash` is for sources that join adjacent strings with two quotes between
   * them.
   */
  readonly quoteInString: "doubled" | "backslash";
  /** A string may contain line breaks. */
  readonly linesInStrings: boolean;
  /** A backslash in a string escapes the next character. */
  readonly backslashEscapes: boolean;
  /** Escapes that keep their backslash, because LIKE reads them: `\%` is `\%`. */
  readonly keptEscapes: string;
  /** A backslash at the end of a line is dropped from the string, together with the line break. */
  readonly joinsLines: boolean;
  /** `E'…'` has backslash escapes. */
  readonly escapeStrings: boolean;
  /** `$$…$$` and `$tag$…$tag$` are strings. */
  readonly dollarQuotes: boolean;
  /** `'''…'''` and `"""…"""`. */
  readonly tripleQuotes: boolean;
  /** By lower-case prefix. */
  readonly stringPrefixes: { readonly [prefix: string]: StringPrefix };

  // --------------------------------------------------------------------------------------------------- comments
  /** Signs that begin a comment up to the end of the line. */
  readonly lineComments: readonly string[];
  readonly nestedComments: boolean;
  /** The server executes the content of such comments. */
  readonly executedComments: boolean;

  // -------------------------------------------------------------------------------------------------- variables
  /** `@x := value` assigns a variable of the session within an expression, and a query may end with `INTO @x` or `INTO OUTFILE`. */
  readonly assignsVariables: boolean;

  // ------------------------------------------------------------------------------- where tables stand in queries
  /** Words a query may begin with, apart from "(". */
  readonly queryWords: readonly string[];
  /**
   * Meaning of a string in the position of a table: DuckDB's file `'orders.csv'`, or a name, as MySQL reads it under
   * ANSI_QUOTES.
   */
  readonly tableStrings: "file" | "name" | undefined;
  /** `FROM t, t.items` reads an array of `t`. */
  readonly correlatedPaths: boolean;
  /** A common table can refer to itself without RECURSIVE. */
  readonly recursesUnasked: boolean;
  /** `WITH expression AS name`. */
  readonly scalarWith: boolean;
  /** Hints after a table, which do not change its rows: `WITH (NOLOCK)`, `USE INDEX (i)`. */
  readonly hints: "with" | "index" | undefined;
  /** Words that end a table name on this source and are plain names in others. */
  readonly clauseWords: readonly string[];
}

type NameQuotes = readonly [open: string, close: string];

/** Rules for reading native SQL of a source. */
export interface NativeFlavour extends LexicalRules {
  /**
   * Types and functions that the source has under another name than the input language (docs/decisions/0023-native-sql.md). Names
   * that the source understands itself are not listed.
   */
  readonly spellings: NativeSpellings;
  /** Constructs that the source lacks: an expression with one of them is translated where that is possible. */
  readonly foreign?: NativeForeign;
}
