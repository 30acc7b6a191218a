/**
 * Native SQL (docs/decisions/0023-native-sql.md): a source expression or a `refSql`, in the source's dialect, copied unchanged.
 *
 * It is printed between parentheses and must not be able to close them. The scanner applies the dialect's lexical
 * rules, removes comments (a `--` would hide the text after it), and checks that brackets balance.
 */
import { PlannerError } from "../diagnostics.ts";
import { keywordFacts } from "./keywords.ts";
import type { NativeFlavour } from "./lexical-rules.ts";
import { type Foreign, foreignParts } from "./native-foreign.ts";
import { type NativeToken, respelled } from "./native-spellings.ts";

/**
 * PostgreSQL joins two strings with a line break between them, and the second keeps the first one's escapes. Reading it
 * as a separate string could end it at another position than the engine does.
 */
const CONTINUATION = /^[^\S\r\n]*[\r\n]\s*'/;

export interface NativeExpression {
  /** Without comments, trimmed; with the source's names for those that it lacks. */
  readonly text: string;
  /** The name without quotes, when the text is a single name. */
  readonly bareName: string | undefined;
  /** Whether it has constructs of the input language that the source lacks. */
  readonly foreign: Foreign;
}

/** @throws PlannerError MANIFEST_EXPRESSION when the text is not one balanced expression. */
export function lexNativeExpression(text: string, flavour: NativeFlavour): NativeExpression {
  const scanned = new NativeScanner(text, flavour).scan();
  if (scanned.topLevelComma !== undefined) {
    throw broken("several expressions separated by commas", scanned.topLevelComma, "Write one expression.");
  }
  const { foreign } = flavour;
  return {
    text: respelled(scanned.text, scanned.tokens, flavour.spellings),
    bareName: scanned.onlyName,
    foreign: foreign && foreignParts(scanned.text, scanned.tokens, foreign),
  };
}

/** The query without comments and trailing semicolons. @throws PlannerError MANIFEST_EXPRESSION when it is not one query. */
export function lexNativeQuery(text: string, flavour: NativeFlavour): string {
  const scanned = new NativeScanner(text, flavour).scan();
  if (!scanned.text.startsWith("(") && !flavour.queryWords.includes(scanned.firstWord)) {
    const words = flavour.queryWords.map((word) => word.toUpperCase()).join(", ");
    throw broken(`a query begins with ${words} or '('`, 0, "Write a query that begins with SELECT.");
  }
  return scanned.text;
}

/** `at` is the offset in the text. */
function broken(message: string, at: number, hint?: string): PlannerError {
  const span = { start: at, end: at + 1 };
  return new PlannerError("MANIFEST_EXPRESSION", message, hint === undefined ? { span } : { span, hint });
}

/** Reserved words of MySQL and MariaDB that write, lock or run something inside a query; as names they need quotes. */
const WRITING_WORDS: ReadonlySet<string> = new Set(["into", "outfile", "dumpfile", "procedure"]);

const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

interface Scanned {
  readonly text: string;
  /** In lower case; empty when the text does not begin with a word. */
  readonly firstWord: string;
  /** Offset of the first. */
  readonly topLevelComma: number | undefined;
  readonly onlyName: string | undefined;
  /** With their positions in `text`. */
  readonly tokens: readonly NativeToken[];
}

class NativeScanner {
  readonly #text: string;
  readonly #flavour: NativeFlavour;
  #at = 0;
  /** The text read so far without comments, up to `copied`. */
  #output = "";
  #copied = 0;
  readonly #open: { readonly sign: string; readonly at: number }[] = [];
  readonly #tokens: NativeToken[] = [];
  #firstWord = "";
  /** Text of the current token, in the form of `NativeToken.text`. */
  #shown = "";
  #name: string | undefined;
  #topLevelComma: number | undefined;

  constructor(text: string, flavour: NativeFlavour) {
    this.#text = text;
    this.#flavour = flavour;
  }

  scan(): Scanned {
    const text = this.#text;
    if (text.includes("\0") || !text.isWellFormed()) {
      throw broken("the character NUL or half of a surrogate pair", 0);
    }
    while (this.#at < text.length) {
      this.#step();
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      throw broken(`'${unclosed.sign}' is not closed`, unclosed.at);
    }
    this.#copyTo(text.length);
    const trimmed = this.#output.trim();
    if (trimmed === "") {
      throw broken("the text is empty", 0);
    }
    const cut = this.#output.length - this.#output.trimStart().length;
    return {
      text: trimmed,
      firstWord: this.#firstWord,
      topLevelComma: this.#topLevelComma,
      onlyName: this.#tokens.length === 1 ? this.#name : undefined,
      tokens: this.#tokens.map((token) => ({ ...token, start: token.start - cut, end: token.end - cut })),
    };
  }

  #step(): void {
    const text = this.#text;
    const at = this.#at;
    const character = text.charAt(at);
    if (/\s/.test(character)) {
      this.#at++;
      return;
    }
    const comment = this.#endOfComment();
    if (comment !== undefined) {
      this.#copyTo(at);
      this.#output += " ";
      this.#at = comment;
      this.#copied = comment;
      return;
    }
    if (character === ";") {
      this.#finish();
      return;
    }
    this.#name = undefined;
    // No comment lies between the copied part and this position.
    const start = this.#output.length + at - this.#copied;
    this.#shown = "";
    this.#token(character);
    this.#tokens.push({ text: this.#shown, start, end: start + this.#at - at });
  }

  #token(character: string): void {
    const text = this.#text;
    const flavour = this.#flavour;
    const at = this.#at;
    const quotes = flavour.nameQuotes.find(([open]) => open === character);
    if (quotes !== undefined) {
      const [, close] = quotes;
      this.#at = this.#endOfQuoted(at, close, false);
      if (flavour.nameBackslashes && text.slice(at, this.#at).includes("\\")) {
        throw broken("a name with a backslash", at, "Use a name without one.");
      }
      this.#name = text.slice(at + 1, this.#at - 1).replaceAll(close + close, close);
    } else if (flavour.stringQuotes.includes(character)) {
      if (flavour.tripleQuotes && text.startsWith(character.repeat(3), at)) {
        throw broken("a string between three quotes", at, "Write it between single ones.");
      }
      this.#at = this.#endOfQuoted(at, character, flavour.backslashEscapes);
    } else if (character === "$" && flavour.dollarQuotes && this.#dollarString()) {
      // Read.
    } else if (isWordStart(character)) {
      this.#word();
    } else {
      this.#sign(character);
    }
  }

  #word(): void {
    const text = this.#text;
    const at = this.#at;
    let end = at + 1;
    while (end < text.length && isWordPart(text.charAt(end))) {
      end++;
    }
    const word = text.slice(at, end);
    const lower = word.toLowerCase();
    if (this.#flavour.escapeStrings && lower === "e" && text.charAt(end) === "'") {
      this.#at = this.#endOfQuoted(end, "'", true);
      return;
    }
    if (this.#flavour.stringQuotes.includes(text.charAt(end)) && Object.hasOwn(this.#flavour.stringPrefixes, lower)) {
      this.#refusePrefix(lower);
    }
    if (this.#flavour.assignsVariables && WRITING_WORDS.has(lower) && this.#tokens.at(-1)?.text !== ".") {
      throw broken(`${word.toUpperCase()} is not allowed in a query that only reads`, at, "Remove that clause.");
    }
    if (this.#tokens.length === 0) {
      this.#firstWord = lower;
    }
    this.#shown = lower;
    const bare = this.#flavour.folding === "upper" ? word.toUpperCase() : word;
    this.#name = keywordFacts(lower)?.keywordClass === "reserved" ? undefined : bare;
    this.#at = end;
  }

  /** The end of a string with other escapes or other delimiters cannot be found reliably. */
  #refusePrefix(prefix: string): void {
    switch (this.#flavour.stringPrefixes[prefix]) {
      case "raw":
      case "delimited":
      case "bytes":
        throw broken(`a string behind ${prefix}`, this.#at, "Write it as a plain string.");
      default:
    }
  }

  #sign(character: string): void {
    // Two braces begin nothing in any dialect; the source would report the template as a confusing error.
    if (character === "{" && this.#text.charAt(this.#at + 1) === "{") {
      throw broken("'{{' calls a macro, and macros are not allowed in native SQL", this.#at);
    }
    if (this.#flavour.assignsVariables) this.#refuseVariable(character);
    const closing = CLOSING[character];
    if (closing !== undefined) {
      this.#open.push({ sign: character, at: this.#at });
    } else if (character === ")" || character === "]" || character === "}") {
      const opened = this.#open.pop();
      if (opened === undefined || CLOSING[opened.sign] !== character) {
        throw broken(`'${character}' closes nothing`, this.#at);
      }
    } else if (character === "," && this.#open.length === 0) {
      this.#topLevelComma ??= this.#at;
    }
    this.#shown = character;
    this.#at++;
  }

  /** A session variable outlives the query: one statement could write it and another read it. */
  #refuseVariable(character: string): void {
    if (character === ":" && this.#text.charAt(this.#at + 1) === "=") {
      throw broken("':=' assigns a variable of the session", this.#at, "Compute the value in the query.");
    }
    // Two signs begin a server variable, which this syntax can only read.
    if (character === "@" && this.#text.charAt(this.#at + 1) !== "@" && this.#text.charAt(this.#at - 1) !== "@") {
      throw broken("'@' begins a variable of the session", this.#at, "Compute the value in the query.");
    }
  }

  /** A semicolon ends the text: only semicolons, blanks and comments may follow. */
  #finish(): void {
    const text = this.#text;
    if (this.#open.length > 0) {
      throw broken("';' between brackets", this.#at);
    }
    this.#copyTo(this.#at);
    while (this.#at < text.length) {
      const character = text.charAt(this.#at);
      if (character === ";" || /\s/.test(character)) {
        this.#at++;
        continue;
      }
      const comment = this.#endOfComment();
      if (comment === undefined) {
        throw broken("more than one statement", this.#at, "Remove everything behind ';'.");
      }
      this.#at = comment;
    }
    this.#copied = text.length;
  }

  #copyTo(end: number): void {
    if (end > this.#copied) {
      this.#output += this.#text.slice(this.#copied, end);
      this.#copied = end;
    }
  }

  /** End offset of the comment that begins at the current position, or `undefined`. */
  #endOfComment(): number | undefined {
    const text = this.#text;
    const flavour = this.#flavour;
    const at = this.#at;
    if (flavour.lineComments.some((mark) => text.startsWith(mark, at))) {
      let end = at;
      while (end < text.length && text.charAt(end) !== "\n" && text.charAt(end) !== "\r") {
        end++;
      }
      return end;
    }
    if (!text.startsWith("/*", at)) {
      return undefined;
    }
    if (text.charAt(at + 2) === "!") {
      throw broken("a comment that is executed", at, "Remove /*!.");
    }
    let depth = 1;
    for (let i = at + 2; i < text.length; i++) {
      if (text.startsWith("*/", i)) {
        depth--;
        i++;
        if (depth === 0) {
          return i + 1;
        }
      } else if (flavour.nestedComments && text.startsWith("/*", i)) {
        depth++;
        i++;
      }
    }
    throw broken("a comment is not closed", at);
  }

  /** Offset after the closing quote of the text that opens at `open`. */
  #endOfQuoted(open: number, close: string, backslash: boolean): number {
    const text = this.#text;
    for (let i = open + 1; i < text.length; i++) {
      const character = text.charAt(i);
      if (backslash && character === "\\") {
        i++;
      } else if (character === close) {
        if (text.charAt(i + 1) !== close) {
          if (close === "'" && CONTINUATION.test(text.slice(i + 1, i + 200))) {
            throw broken("a string goes on in another line", i, "Write it in one piece.");
          }
          return i + 1;
        }
        i++;
      }
    }
    throw broken(`a quote ${text.charAt(open)} is not closed`, open);
  }

  #dollarString(): boolean {
    const text = this.#text;
    const at = this.#at;
    const tag = /\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/iy;
    tag.lastIndex = at;
    const opening = tag.exec(text)?.[0];
    if (opening === undefined) {
      return false;
    }
    const close = text.indexOf(opening, at + opening.length);
    if (close < 0) {
      throw broken(`a string ${opening} is not closed`, at);
    }
    this.#at = close + opening.length;
    return true;
  }
}

function isWordStart(character: string): boolean {
  return /[a-z_\u0080-\uffff]/i.test(character);
}

function isWordPart(character: string): boolean {
  return /[\w$\u0080-\uffff]/.test(character);
}
