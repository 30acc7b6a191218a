/** Names and strings as a source reads them back (`test/planner/dialects/escapes.test.ts`). */
import { isReservedAsName } from "./keywords.ts";
import type { LexicalRules } from "./lexical-rules.ts";

/** Between quotes; or what it holds that no text of that source can. */
export type Quoted = { readonly text: string } | { readonly unsayable: string };

/** Whether a name must be quoted to mean itself. */
export function needsQuotes(name: string, { bareNames, reserved }: LexicalRules): boolean {
  return bareNames === undefined || !bareNames.test(name) || isReservedAsName(name) || reserved.has(name.toLowerCase());
}

/** Nothing in it has a meaning between quotes of any kind. */
const PLAIN = /^[\w ]*$/;

export function quotedName(name: string, { nameQuotes, nameBackslashes, quotesInNames }: LexicalRules): Quoted {
  const [[open, close]] = nameQuotes;
  if (PLAIN.test(name)) return { text: open + name + close };
  if (!isCarried(name)) return NOT_CARRIED;
  if (nameBackslashes && (/[\\\r\n]/.test(name) || name.includes(close)))
    return { unsayable: `a backslash, a line break or ${close}` };
  if (!quotesInNames && name.includes(close)) return { unsayable: `the character ${close}` };
  return { text: open + name.replaceAll(close, close + close) + close };
}

export function quotedString(value: string, rules: LexicalRules): Quoted {
  if (PLAIN.test(value)) return { text: `'${value}'` };
  if (!isCarried(value)) return NOT_CARRIED;
  if (rules.joinsLines && /\\[\r\n]/.test(value)) return { unsayable: "a backslash at the end of a line" };
  const escaped = rules.backslashEscapes ? value.replaceAll("\\", "\\\\") : value;
  const safe = rules.linesInStrings ? escaped : escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return { text: `'${safe.replaceAll("'", rules.quoteInString === "doubled" ? "''" : "\\'")}'` };
}

/** No SQL text can hold a NUL, and half of a surrogate pair does not survive the way to the source. */
const NOT_CARRIED: Quoted = { unsayable: "the character NUL or half of a surrogate pair" };

function isCarried(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** A name in a text of the input language that we write ourselves: letter by letter the one that is meant. */
export function inQuotes(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
