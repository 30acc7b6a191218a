/** Quotes names and strings so that the source reads them back unchanged (`test/planner/dialects/escapes.test.ts`). */
import { CLASSES, DIGIT, LETTER } from "./characters.ts";
import { isReservedWord } from "./keywords.ts";
import type { LexicalRules } from "./lexical-rules.ts";

/** The quoted text, or the content that no text of that source can hold. */
export type Quoted = { readonly text: string } | { readonly unsayable: string };

/** Whether a name must be quoted to keep its meaning. */
export function needsQuotes(name: string, { bareNames, reserved }: LexicalRules): boolean {
  if (bareNames === undefined) return true;
  // `bareNames` matches no name with capital letters, so that the words need not be folded.
  return !(isLowerWord(name) || bareNames.test(name)) || isReservedWord(name) || reserved.has(name);
}

/** `[a-z_][a-z0-9_]*`, which every `bareNames` matches. */
function isLowerWord(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (isCapital || !(CLASSES[code] === LETTER || (i > 0 && CLASSES[code] === DIGIT))) return false;
  }
  return name !== "";
}

/** Whether no character of the text has a special meaning between quotes of any kind: ASCII letters, digits, `_` and blanks. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (CLASSES[code] !== LETTER && CLASSES[code] !== DIGIT && code !== 0x20) return false;
  }
  return true;
}

export function quotedName(name: string, { nameQuotes, nameBackslashes, quotesInNames }: LexicalRules): Quoted {
  const [[open, close]] = nameQuotes;
  if (isPlain(name)) return { text: open + name + close };
  if (!isCarried(name)) return NOT_CARRIED;
  if (nameBackslashes && (/[\\\r\n]/.test(name) || name.includes(close)))
    return { unsayable: `a backslash, a line break or ${close}` };
  if (!quotesInNames && name.includes(close)) return { unsayable: `the character ${close}` };
  return { text: open + name.replaceAll(close, close + close) + close };
}

export function quotedString(value: string, rules: LexicalRules): Quoted {
  if (isPlain(value)) return { text: `'${value}'` };
  if (!isCarried(value)) return NOT_CARRIED;
  if (rules.joinsLines && /\\[\r\n]/.test(value)) return { unsayable: "a backslash at the end of a line" };
  if (!/['\\\r\n]/.test(value)) return { text: `'${value}'` };
  const escaped = rules.backslashEscapes ? value.replaceAll("\\", "\\\\") : value;
  const safe = rules.linesInStrings ? escaped : escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return { text: `'${safe.replaceAll("'", rules.quoteInString === "doubled" ? "''" : "\\'")}'` };
}

/** No SQL text can hold a NUL, and half of a surrogate pair is lost on the way to the source. */
const NOT_CARRIED: Quoted = { unsayable: "the character NUL or half of a surrogate pair" };

function isCarried(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Quotes a name for SQL of the input language that the planner writes itself; case is kept. */
export function inQuotes(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
