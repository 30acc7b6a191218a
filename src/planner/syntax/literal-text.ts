/** Decodes the notations of strings, quoted names and numbers, from the offset of their first character. */
import { PlannerError } from "../diagnostics.ts";
import { excerpt } from "./hints.ts";
import { syntaxFault } from "./syntax-fault.ts";
import { isForeignBlank } from "./unusual-characters.ts";

export interface LiteralText {
  readonly value: string;
  /** Offset behind the literal. */
  readonly end: number;
}

/**
 * A text between quotes in which a doubled quote is one quote: `'it''s'`, `"a ""b"""`. `open` is the offset of the
 * opening quote; `start` is the start of the whole literal (a prefix may precede the quote).
 */
export function readQuoted(text: string, open: number, start: number, subject: string): LiteralText {
  const quote = text.charAt(open);
  let doubled = false;
  let close = text.indexOf(quote, open + 1);
  while (close >= 0 && text.charCodeAt(close + 1) === text.charCodeAt(open)) {
    doubled = true;
    close = text.indexOf(quote, close + 2);
  }
  if (close < 0) {
    throw syntaxFault(`${subject} is not closed`, start, start + 1, `Add ${quote} where it ends.`);
  }
  const raw = text.slice(open + 1, close);
  return { value: doubled ? raw.replaceAll(quote + quote, quote) : raw, end: close + 1 };
}

/**
 * Where a string continues: `'a'` newline `'b'` is one string. Returns the offset of the next opening quote when only
 * blanks and `--` comments with at least one line break lie between, otherwise -1.
 */
export function continuation(text: string, from: number): number {
  let newline = false;
  for (let i = from; ; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) {
      newline = true;
    } else if (code === 0x2d && text.charCodeAt(i + 1) === 0x2d) {
      const lineEnd = text.indexOf("\n", i);
      if (lineEnd < 0) {
        return -1;
      }
      i = lineEnd - 1;
    } else if (code === 0x27) {
      return newline ? i : -1;
    } else if (code !== 0x20 && code !== 9 && code !== 11 && code !== 12) {
      return -1;
    }
  }
}

/** `E'…'`: backslash escapes as in PostgreSQL. `open` is the offset of the quote. */
export function readEscaped(text: string, open: number, start: number): LiteralText {
  let value = "";
  let from = open + 1;
  for (let i = from; i < text.length; ) {
    const code = text.charCodeAt(i);
    if (code === 0x27) {
      value += text.slice(from, i);
      if (text.charCodeAt(i + 1) !== 0x27) {
        return { value, end: i + 1 };
      }
      value += "'";
      i += 2;
      from = i;
    } else if (code === 0x5c) {
      const escaped = readEscape(text, i);
      value += text.slice(from, i) + escaped.value;
      i = escaped.end;
      from = i;
    } else {
      i++;
    }
  }
  throw syntaxFault("the string is not closed", start, start + 1, "Add ' where it ends.");
}

const SIMPLE_ESCAPES: { readonly [letter: string]: string } = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function readEscape(text: string, at: number): LiteralText {
  const letter = text.charAt(at + 1);
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) {
    return { value: simple, end: at + 2 };
  }
  if (letter === "u" || letter === "U") {
    return readUnicode(text, at, at + 2, letter === "u" ? 4 : 8);
  }
  if (letter === "x" && isHexDigit(text.charCodeAt(at + 2))) {
    const digits = isHexDigit(text.charCodeAt(at + 3)) ? 2 : 1;
    return byteEscape(Number.parseInt(text.slice(at + 2, at + 2 + digits), 16), at, at + 2 + digits);
  }
  if (letter >= "0" && letter <= "7") {
    let end = at + 2;
    while (end < at + 4 && text.charAt(end) >= "0" && text.charAt(end) <= "7") {
      end++;
    }
    return byteEscape(Number.parseInt(text.slice(at + 1, end), 8) & 0xff, at, end);
  }
  // Any other character is kept; at the end of the text the caller reports the missing quote.
  return { value: letter, end: at + 1 + letter.length };
}

/** Byte escapes above ASCII would build a character byte by byte in the source's encoding, which is unknown. */
function byteEscape(byte: number, start: number, end: number): LiteralText {
  if (byte > 0x7f) {
    throw syntaxFault("a byte above 7F in an escape", start, end, "Write the character itself, or \\uXXXX.");
  }
  return { value: String.fromCharCode(byte), end };
}

function readUnicode(text: string, start: number, from: number, digits: number): LiteralText {
  const first = hexadecimal(text, start, from, digits);
  let end = from + digits;
  if (first > 0x10ffff) {
    throw syntaxFault("a Unicode escape beyond 10FFFF", start, end);
  }
  if (first < 0xd800 || first > 0xdfff) {
    return { value: String.fromCodePoint(first), end };
  }
  // A pair of surrogate escapes is one character; half a pair is rejected like all other lone surrogates.
  const lead = text.slice(start, from);
  if (first <= 0xdbff && text.startsWith(lead, end)) {
    const second = hexadecimal(text, end, end + lead.length, digits);
    if (second >= 0xdc00 && second <= 0xdfff) {
      end += lead.length + digits;
      return { value: String.fromCharCode(first, second), end };
    }
  }
  throw syntaxFault("half of a surrogate pair", start, end);
}

function hexadecimal(text: string, start: number, from: number, digits: number): number {
  for (let i = from; i < from + digits; i++) {
    if (!isHexDigit(text.charCodeAt(i))) {
      throw syntaxFault(`a Unicode escape needs ${digits} hexadecimal digits`, start, Math.min(i + 1, text.length));
    }
  }
  return Number.parseInt(text.slice(from, from + digits), 16);
}

/** The value of `U&'…'` or `U&"…"` after removing the quotes; `start` and `end` delimit the literal, for errors. */
export function decodeUnicode(raw: string, escapeCharacter: string, start: number, end: number): string {
  let value = "";
  let from = 0;
  for (let at = raw.indexOf(escapeCharacter); at >= 0; at = raw.indexOf(escapeCharacter, from)) {
    value += raw.slice(from, at);
    if (raw.startsWith(escapeCharacter, at + 1)) {
      value += escapeCharacter;
      from = at + 2;
      continue;
    }
    const long = raw.charAt(at + 1) === "+";
    const digits = long ? 6 : 4;
    const digitsFrom = at + (long ? 2 : 1);
    try {
      const unicode = readUnicode(raw, at, digitsFrom, digits);
      value += unicode.value;
      from = unicode.end;
    } catch (error) {
      if (error instanceof PlannerError) {
        // Offsets inside the decoded text mean nothing to the caller: report the whole literal.
        throw syntaxFault(error.message, start, end);
      }
      throw error;
    }
  }
  return value + raw.slice(from);
}

/** `$$…$$` and `$tag$…$tag$`; `undefined` when the dollar sign does not begin such a string. */
export function readDollarQuoted(text: string, start: number): LiteralText | undefined {
  let i = start + 1;
  if (isDigit(text.charCodeAt(i))) {
    return undefined;
  }
  while (isTagCharacter(text.charCodeAt(i))) {
    i++;
  }
  if (text.charAt(i) !== "$") {
    return undefined;
  }
  const tag = text.slice(start, i + 1);
  const close = text.indexOf(tag, i + 1);
  if (close < 0) {
    throw syntaxFault("the string is not closed", start, i + 1, `Add ${excerpt(tag)} where it ends.`);
  }
  return { value: text.slice(i + 1, close), end: close + tag.length };
}

/** More digits than any source stores; the limit keeps the conversion to decimal digits cheap. */
const LONGEST_RADIX_LITERAL = 256;

/**
 * A number. `value` is the text of the literal node: as written, without underscores; `0x`, `0o` and `0b` notations are
 * turned into decimal digits.
 */
export function readNumber(text: string, start: number): LiteralText {
  if (text.charCodeAt(start) === 0x30) {
    const radix = text.charCodeAt(start + 1) | 0x20;
    if (radix === 0x78 || radix === 0x6f || radix === 0x62) {
      return readRadixNumber(text, start, radix === 0x78 ? isHexDigit : radix === 0x6f ? isOctalDigit : isBinaryDigit);
    }
  }
  let i = skipDigits(text, start, isDigit);
  if (text.charCodeAt(i) === 0x2e) {
    i = isDigit(text.charCodeAt(i + 1)) ? skipDigits(text, i + 1, isDigit) : i + 1;
  }
  if ((text.charCodeAt(i) | 0x20) === 0x65) {
    const sign = text.charCodeAt(i + 1);
    const digits = sign === 0x2b || sign === 0x2d ? i + 2 : i + 1;
    if (isDigit(text.charCodeAt(digits))) {
      i = skipDigits(text, digits, isDigit);
    }
  }
  refuseTrailingLetters(text, start, i);
  const raw = text.slice(start, i);
  return { value: raw.includes("_") ? raw.replaceAll("_", "") : raw, end: i };
}

function readRadixNumber(text: string, start: number, isRadixDigit: (code: number) => boolean): LiteralText {
  const first = text.charCodeAt(start + 2) === 0x5f ? start + 3 : start + 2;
  const end = isRadixDigit(text.charCodeAt(first)) ? skipDigits(text, first, isRadixDigit) : start + 2;
  refuseTrailingLetters(text, start, end);
  if (end === start + 2) {
    throw syntaxFault("a number without digits", start, end);
  }
  if (end - start > LONGEST_RADIX_LITERAL) {
    throw syntaxFault(`a number of more than ${LONGEST_RADIX_LITERAL} characters`, start, end);
  }
  return { value: BigInt(text.slice(start, end).replaceAll("_", "")).toString(), end };
}

/** Digits with single underscores between them. */
function skipDigits(text: string, from: number, isRadixDigit: (code: number) => boolean): number {
  let i = from;
  for (;;) {
    const code = text.charCodeAt(i);
    if (isRadixDigit(code) || (code === 0x5f && isRadixDigit(text.charCodeAt(i + 1)))) {
      i++;
    } else {
      return i;
    }
  }
}

function refuseTrailingLetters(text: string, start: number, end: number): void {
  const code = text.charCodeAt(end);
  if (isTagCharacter(code) && !isForeignBlank(code)) {
    let last = end + 1;
    while (last - start < 40 && isTagCharacter(text.charCodeAt(last))) {
      last++;
    }
    const word = excerpt(text.slice(start, last));
    throw syntaxFault(
      `a number followed by letters: '${word}'`,
      start,
      last,
      `A name that begins with a digit needs quotes: "${word}".`,
    );
  }
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOctalDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x37;
}

export function isBinaryDigit(code: number): boolean {
  return code === 0x30 || code === 0x31;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** Letters, digits, underscore and everything beyond ASCII: what a name or the tag of a dollar quote may contain. */
function isTagCharacter(code: number): boolean {
  return isDigit(code) || code === 0x5f || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code >= 0x80;
}
