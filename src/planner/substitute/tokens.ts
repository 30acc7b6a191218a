/** A source's SQL in pieces, each with the text it has in the input language. */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import type { LexicalRules } from "../syntax/lexical-rules.ts";
import { syntaxFault } from "../syntax/syntax-fault.ts";
import { readDelimited, readName, readQuotedName, readString, readTripleQuoted } from "./literals.ts";

export interface Token {
  /** `name` is a quoted name, `word` a bare one or a keyword, `sign` one character. */
  readonly kind: "word" | "name" | "string" | "number" | "sign" | "comment";
  readonly start: number;
  readonly end: number;
  /** The name or string without quotes; of words and signs the text itself. */
  readonly value: string;
  /** In the input language. */
  readonly text: string;
}

/**
 * The pieces of `text`, comments among them, blanks left out.
 * @throws PlannerError SYNTAX, LIMIT_SIZE
 */
export function tokenize(text: string, rules: LexicalRules, limits: PlannerLimits): readonly Token[] {
  if (text.length > limits.sqlLength) {
    throw new PlannerError("LIMIT_SIZE", `the SQL is longer than ${limits.sqlLength} characters`);
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) throw syntaxFault("the character NUL", nul, nul + 1);
  if (!text.isWellFormed()) throw syntaxFault("half of a surrogate pair", 0, text.length);
  return new Tokenizer(text, rules, limits.tokens).run();
}

const BLANKS = /\s+/y;
const LINE = /[^\r\n]*/y;
const NUMBER = /[0-9][0-9a-z_$]*(?:\.[0-9]+(?:e[+-]?[0-9]+)?)?/iy;
const DOLLAR_QUOTE = /\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/iy;

class Tokenizer {
  readonly #text: string;
  readonly #rules: LexicalRules;
  readonly #most: number;
  readonly #word: RegExp;
  readonly #tokens: Token[] = [];

  constructor(text: string, rules: LexicalRules, most: number) {
    this.#text = text;
    this.#rules = rules;
    this.#most = most;
    const signs = rules.wordSigns;
    this.#word = new RegExp(`(?:[a-z_${signs}]|[^\\x00-\\x7f\\s])(?:[\\w$${signs}]|[^\\x00-\\x7f\\s])*`, "iy");
  }

  run(): readonly Token[] {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      const blanks = matchAt(BLANKS, text, at);
      at = blanks === undefined ? this.#token(at) : at + blanks.length;
      if (this.#tokens.length > this.#most) {
        throw new PlannerError("LIMIT_SIZE", `the SQL has more than ${this.#most} words and signs`);
      }
    }
    return this.#tokens;
  }

  /** Reads what begins at `at`; the offset behind it. */
  #token(at: number): number {
    const text = this.#text;
    const rules = this.#rules;
    const character = text.charAt(at);
    const comment = this.#comment(at);
    if (comment !== undefined) return comment;
    if (rules.stringQuotes.includes(character)) return this.#string(at, at, "");
    const quotes = rules.nameQuotes.find(([open]) => open === character);
    if (quotes !== undefined) {
      const { value, end } = readQuotedName(text, at, quotes[1], rules);
      return this.#push("name", at, end, value, nameText(value));
    }
    if (character === "$" && rules.dollarQuotes) {
      const quote = matchAt(DOLLAR_QUOTE, text, at);
      if (quote !== undefined) return this.#dollarQuoted(at, quote);
    }
    const word = matchAt(this.#word, text, at);
    if (word !== undefined) return this.#wordOrPrefix(at, word);
    const number = matchAt(NUMBER, text, at);
    if (number !== undefined) return this.#push("number", at, at + number.length, number, number);
    return this.#push("sign", at, at + 1, character, character);
  }

  #push(kind: Token["kind"], start: number, end: number, value: string, text: string): number {
    this.#tokens.push({ kind, start, end, value, text });
    return end;
  }

  #wordOrPrefix(at: number, word: string): number {
    const text = this.#text;
    const rules = this.#rules;
    const behind = at + word.length;
    const next = text.charAt(behind);
    const lower = word.toLowerCase();
    if (rules.stringQuotes.includes(next) && Object.hasOwn(rules.stringPrefixes, lower)) {
      return this.#string(at, behind, lower);
    }
    if (lower === "u" && next === "&" && Object.hasOwn(rules.stringPrefixes, "u&")) {
      const quote = text.charAt(behind + 1);
      if (quote === "'" || quote === '"') {
        const { value, end } = readName(text, behind + 1, quote);
        return this.#push(quote === "'" ? "string" : "name", at, end, value, text.slice(at, end));
      }
    }
    return this.#push("word", at, behind, word, word);
  }

  /** The string whose prefix begins at `start` and whose quote is at `open`. */
  #string(start: number, open: number, prefix: string): number {
    const text = this.#text;
    const rules = this.#rules;
    const kind = prefix === "" ? "plain" : rules.stringPrefixes[prefix];
    const quote = text.charAt(open);
    switch (kind) {
      case "bytes":
        throw syntaxFault(`bytes have no notation like ${prefix}${quote}…${quote}`, start, open + 1, "write X'…'");
      case "delimited": {
        const { value, end } = readDelimited(text, open, start);
        return this.#push("string", start, end, value, stringText(value));
      }
      case "verbatim": {
        const { value, end } = readString(text, open, start, { ...rules, backslashEscapes: prefix === "e" }, true);
        this.#refuseContinuation(end);
        return this.#push("string", start, end, value, text.slice(start, end));
      }
      default: {
        const raw = kind === "raw";
        const triple = rules.tripleQuotes && text.startsWith(quote.repeat(3), open);
        const { value, end } = triple
          ? readTripleQuoted(text, open, start, raw, rules)
          : readString(text, open, start, rules, raw);
        this.#refuseContinuation(end);
        return this.#push("string", start, end, value, stringText(value));
      }
    }
  }

  /** If the continuation of a string on another line keeps the first part's escapes, its end cannot be determined. */
  #refuseContinuation(end: number): void {
    if (!this.#rules.escapeStrings || !/^[^\S\r\n]*[\r\n]\s*'/.test(this.#text.slice(end, end + 200))) return;
    throw syntaxFault("a string goes on in another line", end - 1, end, "write it in one piece");
  }

  #dollarQuoted(at: number, quote: string): number {
    const text = this.#text;
    const close = text.indexOf(quote, at + quote.length);
    if (close < 0) throw syntaxFault(`the string ${quote} is not closed`, at, at + quote.length);
    const end = close + quote.length;
    return this.#push("string", at, end, text.slice(at + quote.length, close), text.slice(at, end));
  }

  /** Offset after the comment that begins at `at`, or `undefined`. */
  #comment(at: number): number | undefined {
    const text = this.#text;
    const rules = this.#rules;
    const mark = rules.lineComments.find((each) => text.startsWith(each, at));
    if (mark !== undefined) {
      const line = matchAt(LINE, text, at) ?? "";
      return this.#push("comment", at, at + line.length, "", `--${line.replace(/^(?:--|\/\/|#)/, "")}`);
    }
    if (!text.startsWith("/*", at)) return undefined;
    if (text.charAt(at + 2) === "!" && rules.executedComments) {
      throw syntaxFault("a comment that is executed", at, at + 3, "remove /*!");
    }
    const end = endOfBlock(text, at, rules.nestedComments);
    // The input language nests comments: an opening sign inside a comment of the source must not open another one.
    const inner = text.slice(at + 2, end - 2);
    return this.#push("comment", at, end, "", `/*${rules.nestedComments ? inner : inner.replaceAll("/*", "/ *")}*/`);
  }
}

function endOfBlock(text: string, at: number, nested: boolean): number {
  const signs = nested ? /\/\*|\*\//g : /\*\//g;
  signs.lastIndex = at + 2;
  let depth = 1;
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return signs.lastIndex;
  }
  throw syntaxFault("the comment is not closed", at, at + 2, "Add the closing */.");
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** A name as the input language quotes it. */
export function nameText(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function stringText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
