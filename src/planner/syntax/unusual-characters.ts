/** Characters that come with text copied from word processors, chats and other input methods. */
import type { PlannerError } from "../diagnostics.ts";
import { syntaxFault } from "./syntax-fault.ts";

/**
 * Blanks beyond ASCII, including the byte order mark. PostgreSQL reads them as letters; Siskin reads them as blanks,
 * because nobody wants an invisible no-break space in a name.
 */
export function isForeignBlank(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0x85 ||
    code === 0x1680
  );
}

const SINGLE_QUOTES = "‘’‚‛′`´＇";
const DOUBLE_QUOTES = "“”„‟″＂";
const DASHES = "‐‑‒–—―−－";
const PUNCTUATION: { readonly [character: string]: string } = {
  "，": ",",
  "、": ",",
  "；": ";",
  "：": ":",
  "（": "(",
  "）": ")",
  "＝": "=",
  "＜": "<",
  "＞": ">",
  "＊": "*",
  "。": ".",
  "．": ".",
  "％": "%",
  "×": "*",
  "÷": "/",
  "≠": "<>",
  "≤": "<=",
  "≥": ">=",
};

const INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060";

const UNUSUAL: ReadonlySet<number> = new Set(
  [...SINGLE_QUOTES, ...DOUBLE_QUOTES, ...DASHES, ...Object.keys(PUNCTUATION), ...INVISIBLE].map((c) =>
    c.charCodeAt(0),
  ),
);

/** True for characters that look like a sign or are invisible, and would silently become part of a name. */
export function isUnusual(code: number): boolean {
  return (code >= 0x2000 || code === 0xb4 || code === 0xd7 || code === 0xf7) && UNUSUAL.has(code);
}

/** The error for a character that begins nothing. */
export function describeCharacter(text: string, at: number): PlannerError {
  const codePoint = text.codePointAt(at) ?? 0;
  const character = String.fromCodePoint(codePoint);
  const end = at + character.length;
  if (codePoint === 0) {
    return syntaxFault("the character NUL", at, end, "Remove it.");
  }
  if (character === "`") {
    if (text.startsWith("```", at)) {
      return syntaxFault("a Markdown code fence (```)", at, at + 3, "Send the SQL without the lines of the fence.");
    }
    return syntaxFault("unexpected '`'", at, end, 'Names are quoted with double quotes: "name".');
  }
  if (SINGLE_QUOTES.includes(character)) {
    return syntaxFault(`the typographic quote '${character}'`, at, end, "Write the straight quote ' instead.");
  }
  if (DOUBLE_QUOTES.includes(character)) {
    return syntaxFault(
      `the typographic quote '${character}'`,
      at,
      end,
      "Write straight quotes: ' around a string, \" around a name.",
    );
  }
  if (DASHES.includes(character)) {
    return syntaxFault(`the dash '${character}'`, at, end, "Write - instead.");
  }
  const meant = PUNCTUATION[character];
  if (meant !== undefined) {
    return syntaxFault(`the character '${character}'`, at, end, `Write ${meant} instead.`);
  }
  if (INVISIBLE.includes(character)) {
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
    return syntaxFault(`the invisible character ${name}`, at, end, "Remove it.");
  }
  return syntaxFault(`unexpected character ${JSON.stringify(character)}`, at, end);
}

/** Throws when `whole[start, end)` contains NUL or half of a surrogate pair, which no SQL text can hold. */
export function refuseBroken(whole: string, start: number, end: number, subject: string): void {
  const text = whole.slice(start, end);
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    throw syntaxFault(`${subject} with the character NUL`, start + nul, start + nul + 1);
  }
  if (!text.isWellFormed()) {
    const broken = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text)?.index ?? 0;
    throw syntaxFault(`${subject} with half of a surrogate pair`, start + broken, start + broken + 1);
  }
}
