/** Character classes of the lexer, and blanks and comments, which it skips. */
import { syntaxFault } from "./syntax-fault.ts";
import { isForeignBlank } from "./unusual-characters.ts";

const OTHER = 0;
export const BLANK = 1;
export const LETTER = 2;
export const DIGIT = 3;
export const OPERATOR = 4;
export const PUNCTUATION = 5;

/** The kind of token that an ASCII character begins. */
export const CLASSES: Uint8Array = classifyCharacters();

function classifyCharacters(): Uint8Array {
  const classes = new Uint8Array(128).fill(OTHER);
  const mark = (characters: string, value: number): void => {
    for (let i = 0; i < characters.length; i++) {
      classes[characters.charCodeAt(i)] = value;
    }
  };
  mark(" \t\n\r\f\v", BLANK);
  mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", LETTER);
  mark("0123456789", DIGIT);
  mark("+-*/<>=~!@#%^&|?", OPERATOR);
  mark("()[]{},;", PUNCTUATION);
  return classes;
}

/** Letters, underscore and everything beyond ASCII except blanks. */
export function beginsName(code: number): boolean {
  return code >= 128 ? !isForeignBlank(code) : CLASSES[code] === LETTER;
}

export function endOfLine(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) {
      return i;
    }
  }
  return text.length;
}

/** Block comments nest. */
export function endOfComment(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (code === 0x2f && next === 0x2a) {
      depth++;
      i++;
    } else if (code === 0x2a && next === 0x2f) {
      depth--;
      i++;
      if (depth === 0) {
        return i + 1;
      }
    }
  }
  throw syntaxFault("the comment is not closed", start, start + 2, "Add */ where it ends; comments nest.");
}
