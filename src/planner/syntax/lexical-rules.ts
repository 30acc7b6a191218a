/**
 * How a source writes names, strings and comments: one table per root of dialects (`dialects/<root>/lexical.ts`), complete by
 * type. It serves the modeller's own text (`native.ts`), the search for tables in a source's SQL (`substitute/`), and what is
 * printed (`quoting.ts`). A fact that is missing from a vendor's manual is the stricter one: what cannot be read is refused,
 * never guessed.
 */
import type { NativeSpellings } from "./native-spellings.ts";

/**
 * What a word directly in front of a string makes of it: `verbatim` means the same in the input language, `plain` is a
 * string like any other, `raw` has no escapes, `delimited` is Oracle's `q'[…]'`, `bytes` has no counterpart.
 */
export type StringPrefix = "verbatim" | "plain" | "raw" | "delimited" | "bytes";

export interface LexicalRules {
  readonly name: string;

  // ------------------------------------------------------------------------------------------------------ names
  /** Opening and closing character of quoted names; the closing one is doubled inside. The first are printed. */
  readonly nameQuotes: readonly [NameQuotes, ...(readonly NameQuotes[])];
  /** A backslash in a quoted name escapes the next character; names that would need one are neither read nor printed. */
  readonly nameBackslashes: boolean;
  /** A quoted name may hold its closing quote; names that would need one are not printed elsewhere. */
  readonly quotesInNames: boolean;
  /** Signs that may also stand in a bare name, at its beginning too. */
  readonly wordSigns: string;
  /** What a bare name becomes; `ignore`: names are compared without case, quoted or not. */
  readonly folding: "lower" | "upper" | "exact" | "ignore";
  /** A manifest's name in small letters is what it is there without quotes, and not letter by letter (decisions P6). */
  readonly foldsManifestNames: boolean;
  /** Names that mean themselves without quotes unless they are words of its grammar; `undefined`: all are printed with them. */
  readonly bareNames: RegExp | undefined;
  /** Words of its grammar that need quotes as names, beside those of PostgreSQL (`keywords.ts`). */
  readonly reserved: ReadonlySet<string>;
  /** One quoted name may hold a whole path, and a bare project name may hold dashes. */
  readonly quotedPaths: boolean;

  // ---------------------------------------------------------------------------------------------------- strings
  /** Characters around strings. The first is printed. */
  readonly stringQuotes: readonly ["'", ...(readonly string[])];
  /** How a string has its quote inside: where strings side by side are one string, two quotes stand between two of them. */
  readonly quoteInString: "doubled" | "backslash";
  /** A string may go on in the next line. */
  readonly linesInStrings: boolean;
  /** A backslash in a string escapes the next character. */
  readonly backslashEscapes: boolean;
  /** Escapes that keep their backslash, because LIKE reads them: `\%` is `\%`. */
  readonly keptEscapes: string;
  /** A backslash at the end of a line is left out of the string, and the end of the line with it. */
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
  /** What begins a comment up to the end of the line. */
  readonly lineComments: readonly string[];
  readonly nestedComments: boolean;
  /** What stands in such a comment is executed. */
  readonly executedComments: boolean;

  // -------------------------------------------------------------------------------------------------- variables
  /** `@x := value` assigns a variable of the session within an expression, and a query may end with `INTO @x` or `INTO OUTFILE`. */
  readonly assignsVariables: boolean;

  // ------------------------------------------------------------------------------- where tables stand in queries
  /** Words a query may begin with, apart from "(". */
  readonly queryWords: readonly string[];
  /** What a string is where a table stands: DuckDB's `'orders.csv'`, or the name that MySQL reads under ANSI_QUOTES. */
  readonly tableStrings: "file" | "name" | undefined;
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

type NameQuotes = readonly [open: string, close: string];

/** What reading the modeller's own text needs of a source. */
export interface NativeFlavour extends LexicalRules {
  /**
   * What the source calls types and functions that it has under another name than the input language (decisions K1). Names
   * that it would understand itself are not in here.
   */
  readonly spellings: NativeSpellings;
}
