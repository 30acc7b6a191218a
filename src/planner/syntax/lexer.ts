/**
 * Text to tokens, in one pass over the UTF-16 units and in linear time.
 *
 * The notation is PostgreSQL's. An unreadable character ends the tokens with a `$fault`, so that the parser can report
 * an earlier mistake first.
 */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import {
  BLANK,
  beginsName,
  CLASSES,
  DIGIT,
  endOfComment,
  endOfLine,
  LETTER,
  OPERATOR,
  PUNCTUATION,
} from "./characters.ts";
import { extendWordHash, keywordAt } from "./keywords.ts";
import {
  continuation,
  decodeUnicode,
  isBinaryDigit,
  isDigit,
  isHexDigit,
  type LiteralText,
  readDollarQuoted,
  readEscaped,
  readNumber,
  readQuoted,
} from "./literal-text.ts";
import { syntaxFault } from "./syntax-fault.ts";
import { LONGEST_OPERATOR, OPERATORS, type TokenKind, type Tokens } from "./tokens.ts";
import { describeCharacter, isForeignBlank, isUnusual, refuseBroken } from "./unusual-characters.ts";

export interface LexerOptions {
  readonly limits: PlannerLimits;
  /** `@name` is a session property (row rules), not the operator `@`. */
  readonly sessionProperties: boolean;
}

/** @throws PlannerError LIMIT_SIZE for too long a text or too many tokens; every other fault is in the tokens. */
export function lex(text: string, options: LexerOptions): Tokens {
  if (text.length > options.limits.sqlLength) {
    throw new PlannerError("LIMIT_SIZE", `the SQL is longer than ${options.limits.sqlLength} characters`);
  }
  return new Lexer(text, options).run();
}

class Lexer {
  readonly #text: string;
  readonly #maxTokens: number;
  readonly #sessionProperties: boolean;
  /** Literals are searched for NUL and lone surrogates only when the text has any. */
  readonly #clean: boolean;
  readonly #kinds: TokenKind[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #values: string[] = [];
  /** The operator run that was measured last: its end, and where its trailing signs begin. */
  #runEnd = 0;
  #signsFrom = 0;

  constructor(text: string, options: LexerOptions) {
    this.#text = text;
    this.#maxTokens = options.limits.tokens;
    this.#sessionProperties = options.sessionProperties;
    this.#clean = text.isWellFormed() && !text.includes("\0");
  }

  run(): Tokens {
    let fault: PlannerError | undefined;
    try {
      this.#scan();
    } catch (error) {
      if (!(error instanceof PlannerError) || error.reason !== "SYNTAX" || error.span === undefined) {
        throw error;
      }
      fault = error;
      this.#push("$fault", error.span.start, error.span.end, "");
    }
    const end = this.#text.length;
    this.#kinds.push("$end");
    this.#starts.push(end);
    this.#ends.push(end);
    this.#values.push("");
    return {
      text: this.#text,
      kinds: this.#kinds,
      starts: this.#starts,
      ends: this.#ends,
      values: this.#values,
      fault,
    };
  }

  #push(kind: TokenKind, start: number, end: number, value: string): void {
    if (this.#kinds.length >= this.#maxTokens) {
      throw new PlannerError("LIMIT_SIZE", `the SQL has more than ${this.#maxTokens} words and signs`, {
        span: { start, end },
      });
    }
    this.#kinds.push(kind);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#values.push(value);
  }

  #scan(): void {
    const text = this.#text;
    const length = text.length;
    let i = 0;
    while (i < length) {
      const code = text.charCodeAt(i);
      switch (code >= 128 ? LETTER : CLASSES[code]) {
        case BLANK:
          i++;
          break;
        case LETTER:
          i = code < 128 ? this.#word(i) : isForeignBlank(code) ? i + 1 : this.#word(i);
          break;
        case DIGIT:
          i = this.#number(i);
          break;
        case PUNCTUATION:
          this.#push(text.charAt(i) as TokenKind, i, i + 1, "");
          i++;
          break;
        case OPERATOR:
          i = this.#operatorOrComment(i, code);
          break;
        default:
          i = this.#other(i, code);
      }
    }
  }

  /** A name or keyword, or a literal that begins with a letter (`E'…'`, `X'…'`, `U&'…'`). */
  #word(start: number): number {
    const text = this.#text;
    let i = start;
    let hash = 0;
    for (;;) {
      const code = text.charCodeAt(i);
      const characterClass = code >= 128 ? LETTER : CLASSES[code];
      if (characterClass === LETTER || characterClass === DIGIT || code === 0x24) {
        if (code >= 128) {
          if (isForeignBlank(code)) {
            break;
          }
          if (isUnusual(code)) {
            throw describeCharacter(text, i);
          }
        }
        hash = extendWordHash(hash, code);
        i++;
      } else {
        break;
      }
    }
    if (i === start + 1) {
      const next = text.charCodeAt(i);
      if (next === 0x27) {
        const end = this.#prefixedString(start, i);
        if (end >= 0) {
          return end;
        }
      } else if (next === 0x26 && (text.charCodeAt(start) | 0x20) === 0x75) {
        const quote = text.charCodeAt(i + 1);
        if (quote === 0x27 || quote === 0x22) {
          return this.#unicodeLiteral(start, i + 1);
        }
      }
    }
    if (!this.#clean) {
      refuseBroken(this.#text, start, i, "a name");
    }
    this.#push(keywordAt(text, start, i, hash) ?? "$identifier", start, i, "");
    return i;
  }

  /** `E'…'`, `N'…'`, `X'…'`, `B'…'`; -1 when the letter is a name in front of a string. */
  #prefixedString(start: number, open: number): number {
    switch (this.#text.charCodeAt(start) | 0x20) {
      case 0x65:
        return this.#string(start, open, readEscaped);
      case 0x6e:
        return this.#string(start, open, readStandard);
      case 0x78:
        return this.#bits(start, open, "$hexadecimal", isHexDigit);
      case 0x62:
        return this.#bits(start, open, "$binary", isBinaryDigit);
      default:
        return -1;
    }
  }

  #string(start: number, open: number, read: (text: string, open: number, start: number) => LiteralText): number {
    let { value, end } = read(this.#text, open, start);
    for (let next = continuation(this.#text, end); next >= 0; next = continuation(this.#text, end)) {
      const more = read(this.#text, next, start);
      value += more.value;
      end = more.end;
    }
    return this.#pushText("$string", start, end, value, "a string");
  }

  #bits(
    start: number,
    open: number,
    kind: "$hexadecimal" | "$binary",
    isRadixDigit: (code: number) => boolean,
  ): number {
    const { value, end } = readQuoted(this.#text, open, start, "the bit string");
    for (let i = 0; i < value.length; i++) {
      if (!isRadixDigit(value.charCodeAt(i))) {
        throw syntaxFault(
          `a ${kind === "$binary" ? "binary" : "hexadecimal"} string with other characters than digits`,
          start,
          end,
        );
      }
    }
    this.#push(kind, start, end, value);
    return end;
  }

  /** `U&'…'` and `U&"…"`, with the escape character of a UESCAPE that follows. */
  #unicodeLiteral(start: number, open: number): number {
    const text = this.#text;
    const isName = text.charCodeAt(open) === 0x22;
    const raw = readQuoted(text, open, start, isName ? "the quoted name" : "the string");
    const clause = /\s*uescape\s*'(.)'/iuy;
    clause.lastIndex = raw.end;
    const found = clause.exec(text);
    const character = found?.[1] ?? "\\";
    if (/[\da-f+'"\s]/iu.test(character)) {
      throw syntaxFault(`'${character}' cannot be the escape character`, raw.end, clause.lastIndex);
    }
    const end = found === null ? raw.end : clause.lastIndex;
    const value = decodeUnicode(raw.value, character, start, end);
    return this.#pushText(isName ? "$quoted" : "$string", start, end, value, isName ? "a name" : "a string");
  }

  #pushText(kind: "$string" | "$quoted", start: number, end: number, value: string, subject: string): number {
    if (value.includes("\0")) {
      throw syntaxFault(`${subject} with the character NUL`, start, end);
    }
    if (!this.#clean) {
      refuseBroken(this.#text, start, end, subject);
    }
    if (kind === "$quoted" && value === "") {
      throw syntaxFault("an empty name", start, end, "Write '' for an empty string.");
    }
    this.#push(kind, start, end, value);
    return end;
  }

  #number(start: number): number {
    const { value, end } = readNumber(this.#text, start);
    this.#push("$number", start, end, value);
    return end;
  }

  #other(start: number, code: number): number {
    const text = this.#text;
    switch (code) {
      case 0x27:
        return this.#string(start, start, readStandard);
      case 0x22: {
        const { value, end } = readQuoted(text, start, start, "the quoted name");
        return this.#pushText("$quoted", start, end, value, "a name");
      }
      case 0x2e:
        if (isDigit(text.charCodeAt(start + 1))) {
          return this.#number(start);
        }
        this.#push(".", start, start + 1, "");
        return start + 1;
      case 0x3a: {
        const next = text.charCodeAt(start + 1);
        const length = next === 0x3a || next === 0x3d ? 2 : 1;
        this.#push(length === 1 ? ":" : next === 0x3a ? "::" : ":=", start, start + length, "");
        return start + length;
      }
      case 0x24:
        return this.#dollar(start);
      default:
        throw describeCharacter(text, start);
    }
  }

  #dollar(start: number): number {
    const quoted = readDollarQuoted(this.#text, start);
    if (quoted !== undefined) {
      return this.#pushText("$string", start, quoted.end, quoted.value, "a string");
    }
    let end = start + 1;
    while (isDigit(this.#text.charCodeAt(end))) {
      end++;
    }
    this.#push("$parameter", start, end, "");
    return end;
  }

  #operatorOrComment(start: number, code: number): number {
    const text = this.#text;
    const next = text.charCodeAt(start + 1);
    if (code === 0x2d && next === 0x2d) {
      return endOfLine(text, start);
    }
    if (code === 0x2f && next === 0x2a) {
      return endOfComment(text, start);
    }
    if (code === 0x40 && this.#sessionProperties && beginsName(next)) {
      return this.#sessionProperty(start);
    }
    if (!(next < 128) || CLASSES[next] !== OPERATOR) {
      const single = OPERATORS.get(text.charAt(start));
      this.#push(single ?? "$operator", start, start + 1, "");
      return start + 1;
    }
    return this.#operatorRun(start);
  }

  /**
   * Several operator characters in a row are one operator, as in PostgreSQL: `a =~ b` is the unknown operator `=~` and
   * never `a = (~ b)`. The lexer only splits off signs at the end (`a=-1`) and the start of a comment, a parameter or a
   * session property.
   */
  #operatorRun(start: number): number {
    const text = this.#text;
    if (text.startsWith(">>>", start)) {
      // The end of `array<array<array<int>>>`: in pairs, as the parser of types expects them.
      this.#push(">>", start, start + 2, "");
      return start + 2;
    }
    this.#measureRun(start);
    const shortest = Math.max(this.#signsFrom, start + 1);
    for (let end = Math.min(this.#runEnd, start + LONGEST_OPERATOR); end >= shortest; end--) {
      const operator = OPERATORS.get(text.slice(start, end));
      if (operator !== undefined) {
        this.#push(operator, start, end, "");
        return end;
      }
    }
    this.#push("$operator", start, this.#runEnd, "");
    return this.#runEnd;
  }

  /** Finds the end of the run and where the signs at its end begin; once per run, however many operators it holds. */
  #measureRun(start: number): void {
    if (start < this.#runEnd) {
      return;
    }
    const text = this.#text;
    let end = start;
    for (let code = text.charCodeAt(end); code < 128 && CLASSES[code] === OPERATOR; code = text.charCodeAt(++end)) {
      const next = text.charCodeAt(end + 1);
      const comment = (code === 0x2d && next === 0x2d) || (code === 0x2f && next === 0x2a);
      const session = code === 0x40 && this.#sessionProperties && beginsName(next);
      if (end > start && (comment || session)) {
        break;
      }
    }
    this.#runEnd = end;
    while (
      end > start &&
      (text.charAt(end - 1) === "-" || text.charAt(end - 1) === "+" || text.charAt(end - 1) === "?")
    ) {
      end--;
    }
    this.#signsFrom = end;
  }

  #sessionProperty(start: number): number {
    const text = this.#text;
    let end = start + 1;
    for (;;) {
      const code = text.charCodeAt(end);
      if (!beginsName(code) && !isDigit(code) && code !== 0x24) {
        break;
      }
      if (code >= 128) {
        if (isUnusual(code)) {
          throw describeCharacter(text, end);
        }
      }
      end++;
    }
    if (!this.#clean) {
      refuseBroken(this.#text, start, end, "a name");
    }
    this.#push("$session", start, end, text.slice(start + 1, end));
    return end;
  }
}

function readStandard(text: string, open: number, start: number): LiteralText {
  return readQuoted(text, open, start, "the string");
}
