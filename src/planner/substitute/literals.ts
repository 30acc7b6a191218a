/** Strings and quoted names in the notations of all sources, from the offset of their quote to their value. */

import type { LexicalRules } from "../syntax/lexical-rules.ts";
import { syntaxFault } from "../syntax/syntax-fault.ts";

interface Literal {
  readonly value: string;
  /** Offset behind the literal. */
  readonly end: number;
}

/** `"…"` in which a doubled quote is one quote and nothing else has a meaning. */
export function readName(text: string, open: number, close: string): Literal {
  for (let at = text.indexOf(close, open + 1); at >= 0; at = text.indexOf(close, at + 2)) {
    if (text.charAt(at + 1) === close) continue;
    return { value: text.slice(open + 1, at).replaceAll(close + close, close), end: at + 1 };
  }
  throw syntaxFault("the quoted name is not closed", open, open + 1, `Add the closing ${close}.`);
}

/** A quoted name of a source. @throws PlannerError SYNTAX */
export function readQuotedName(text: string, open: number, close: string, rules: LexicalRules): Literal {
  const name = readName(text, open, close);
  if (name.value === "") throw syntaxFault("an empty name", open, name.end);
  if (rules.nameBackslashes && text.slice(open, name.end).includes("\\")) {
    throw syntaxFault("a name with a backslash", open, name.end, "use a name without one");
  }
  return name;
}

/**
 * A string with its quote at `open` and its prefix at `start`. With `raw` a backslash still keeps the next quote from
 * closing the string, and remains in the value. @throws PlannerError SYNTAX
 */
export function readString(
  text: string,
  open: number,
  start: number,
  rules: Pick<LexicalRules, "backslashEscapes" | "keptEscapes" | "quoteInString" | "joinsLines">,
  raw: boolean,
): Literal {
  const quote = text.charAt(open);
  let escaped = false;
  for (let at = open + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && rules.backslashEscapes) {
      escaped = true;
      at++;
    } else if (character === quote) {
      if (text.charAt(at + 1) === quote) {
        if (rules.quoteInString !== "doubled") {
          throw syntaxFault(
            "two quotes in a string",
            at,
            at + 2,
            `write \\${quote}, or leave a blank between two strings`,
          );
        }
        at++;
        continue;
      }
      const inner = text.slice(open + 1, at);
      if (rules.joinsLines && /\\[\r\n]/.test(inner)) {
        throw syntaxFault(
          "a backslash at the end of a line in a string",
          start,
          at + 1,
          "write the string in one line",
        );
      }
      const value = escaped && !raw ? unescape(inner, open + 1, rules.keptEscapes, quote) : undouble(inner, quote);
      return { value, end: at + 1 };
    }
  }
  throw syntaxFault("the string is not closed", start, open + 1, `Add the closing ${quote}.`);
}

/** BigQuery's `'''…'''`. @throws PlannerError SYNTAX */
export function readTripleQuoted(
  text: string,
  open: number,
  start: number,
  raw: boolean,
  rules: Pick<LexicalRules, "keptEscapes">,
): Literal {
  const quote = text.slice(open, open + 3);
  for (let at = open + 3; at < text.length; at++) {
    if (text.charAt(at) === "\\") {
      at++;
    } else if (text.startsWith(quote, at)) {
      const inner = text.slice(open + 3, at);
      return { value: raw ? inner : unescape(inner, open + 3, rules.keptEscapes, undefined), end: at + 3 };
    }
  }
  throw syntaxFault("the string is not closed", start, open + 3, `Add the closing ${quote}.`);
}

const MIRRORED: { readonly [open: string]: string } = { "[": "]", "(": ")", "{": "}", "<": ">" };

/** Oracle's `q'[…]'`; `open` is the offset of the quote. @throws PlannerError SYNTAX */
export function readDelimited(text: string, open: number, start: number): Literal {
  const delimiter = text.charAt(open + 1);
  const close = `${MIRRORED[delimiter] ?? delimiter}'`;
  const end = delimiter === "" ? -1 : text.indexOf(close, open + 2);
  if (end < 0) throw syntaxFault("the string is not closed", start, open + 1, `Add the closing ${close}.`);
  return { value: text.slice(open + 2, end), end: end + 2 };
}

/** Escapes with the same meaning in every source that has escapes. Others differ between sources. */
const ESCAPES: { readonly [letter: string]: string } = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
};

function undouble(inner: string, quote: string): string {
  return inner.replaceAll(quote + quote, quote);
}

/** `quote` undefined: nothing is doubled. `offset` is the position of `inner`, for errors. */
function unescape(inner: string, offset: number, kept: string, quote: string | undefined): string {
  let value = "";
  for (let at = 0; at < inner.length; at++) {
    const character = inner.charAt(at);
    if (character === "\\") {
      at++;
      const letter = inner.charAt(at);
      if (letter !== "" && kept.includes(letter)) value += `\\${letter}`;
      else if (Object.hasOwn(ESCAPES, letter)) value += ESCAPES[letter];
      else {
        const place = offset + at - 1;
        throw syntaxFault(`the escape \\${letter} is unknown`, place, place + 2, "write the character itself");
      }
    } else {
      value += character;
      if (character === quote) at++;
    }
  }
  return value;
}
