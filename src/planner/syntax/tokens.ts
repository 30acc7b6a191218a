/** Tokens that the lexer returns to the parser. */
import type { PlannerError } from "../diagnostics.ts";
import type { Keyword, Words } from "./keywords.ts";

const SIGNS =
  "+ - * / // % ^ || & | # << >> -> ->> #> #>> #- @> <@ ? ?| ?& && ^@ ~ ~* !~ !~* ~~ ~~* !~~ !~~* |/ ||/ @ = <> < <= > >= =>";

/** Operators as the grammar knows them; the lexer reads `!=` as `<>`. */
export type OperatorToken = Words<typeof SIGNS>;

/** Operators by spelling. */
export const OPERATORS: ReadonlyMap<string, OperatorToken> = new Map([
  ...SIGNS.split(" ").map((sign): [string, OperatorToken] => [sign, sign as OperatorToken]),
  ["!=", "<>"],
]);

export const LONGEST_OPERATOR = 4;

export type Punctuation = "(" | ")" | "[" | "]" | "{" | "}" | "," | ";" | "." | ":" | "::" | ":=";

export type TokenKind =
  | Keyword
  | OperatorToken
  | Punctuation
  /** A name without quotes that is not a keyword. */
  | "$identifier"
  /** A quoted name; its value is the name without quotes. */
  | "$quoted"
  /** A string of any notation; its value is decoded. */
  | "$string"
  /** A number; its value is the text of the literal node. */
  | "$number"
  /** `X'1F'` and `B'01'`; the value holds the digits. */
  | "$hexadecimal"
  | "$binary"
  /** `@name`; the value is the name. */
  | "$session"
  /** `$1`. */
  | "$parameter"
  /** A run of operator characters that is not an operator of the language. */
  | "$operator"
  /** The lexer stopped at this token; `fault` is the reason. Always followed by `$end`. */
  | "$fault"
  | "$end";

/**
 * The tokens of one text, one entry per token in four parallel arrays (numbers and interned strings: a text of a
 * megabyte creates no object per token). The last token is `$end`.
 */
export interface Tokens {
  readonly text: string;
  readonly kinds: readonly TokenKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Decoded value of strings, quoted names, numbers, bit strings and session properties; otherwise empty. */
  readonly values: readonly string[];
  /** Thrown when the parser reaches the `$fault` token, so that an error before it is reported first. */
  readonly fault: PlannerError | undefined;
}
