/**
 * Parses JSON text from untrusted callers: depth is checked before any value is built, and errors contain only a position.
 *
 * The message of `JSON.parse` quotes the text around an error (which may be a password) and gives no position for short texts. So
 * the position is computed here, and the engine's message is never used.
 */

export type JsonFault = "syntax" | "too deep" | "too many values";

interface Fault {
  readonly fault: JsonFault;
  /** Offset in UTF-16 code units. */
  readonly at: number;
}

export type JsonOutcome = { readonly ok: true; readonly value: unknown } | ({ readonly ok: false } & Fault);

/** No request of this API needs more; eight megabytes of `[]` would otherwise become gigabytes of arrays. */
const MOST_VALUES = 100_000;

/** Objects may have a member named `__proto__`: it becomes an own property, as in `JSON.parse`. The last of equal names wins. */
export function parseJson(text: string, maxDepth: number): JsonOutcome {
  if (text.length <= MOST_VALUES && !mayBeDeeper(text, maxDepth)) {
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // `findFault` finds the position of the error.
    }
  }
  const fault = findFault(text, maxDepth);
  if (fault !== undefined) return { ok: false, ...fault };
  return { ok: true, value: JSON.parse(text) };
}

/** Counts the characters that open arrays and objects, also inside strings: a request has few, and the engine finds them fast. */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  let left = maxDepth;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) if (--left < 0) return true;
  }
  return false;
}

/** A complete check of the grammar (RFC 8259) in one pass, without recursion. */
function findFault(text: string, maxDepth: number): Fault | undefined {
  const open: ("{" | "[")[] = [];
  let values = 0;
  let at = skipSpace(text, 0);
  const wrong = (): Fault => ({ fault: "syntax", at });

  for (;;) {
    // The parser expects a value at this position.
    if (++values > MOST_VALUES) return { fault: "too many values", at };
    const first = text.charAt(at);
    if (first === "{" || first === "[") {
      if (open.length >= maxDepth) return { fault: "too deep", at };
      open.push(first);
      at = skipSpace(text, at + 1);
      if (text.charAt(at) !== (first === "{" ? "}" : "]")) {
        if (first === "{") {
          const next = skipName(text, at);
          if (next.fault) return { fault: "syntax", at: next.at };
          at = next.at;
        }
        continue;
      }
    } else {
      const end = skipScalar(text, at);
      if (end === undefined) return { fault: "syntax", at: faultInScalar(text, at) };
      at = skipSpace(text, end);
    }

    // A value has ended: close the containers that end with it, then find the next value.
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) return at === text.length ? undefined : wrong();
      const next = text.charAt(at);
      if (next === (container === "{" ? "}" : "]")) {
        open.pop();
        at = skipSpace(text, at + 1);
        continue;
      }
      if (next !== ",") return wrong();
      at = skipSpace(text, at + 1);
      if (container === "{") {
        const name = skipName(text, at);
        if (name.fault) return { fault: "syntax", at: name.at };
        at = name.at;
      }
      break;
    }
  }
}

/** Skips `"name" :` and the following white space. */
function skipName(text: string, start: number): { readonly fault: boolean; readonly at: number } {
  if (text.charAt(start) !== '"') return { fault: true, at: start };
  const end = skipString(text, start);
  if (end === undefined) return { fault: true, at: faultInString(text, start) };
  const colon = skipSpace(text, end);
  if (text.charAt(colon) !== ":") return { fault: true, at: colon };
  return { fault: false, at: skipSpace(text, colon + 1) };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
    at++;
  }
  return at;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function skipScalar(text: string, start: number): number | undefined {
  if (text.charAt(start) === '"') return skipString(text, start);
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, start)) return start + word.length;
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : undefined;
}

function faultInScalar(text: string, start: number): number {
  return text.charAt(start) === '"' ? faultInString(text, start) : start;
}

/** The offset after the closing quote; `undefined` when the string is invalid. */
function skipString(text: string, start: number): number | undefined {
  const at = endOfString(text, start);
  return text.charAt(at) === '"' ? at + 1 : undefined;
}

function faultInString(text: string, start: number): number {
  return endOfString(text, start);
}

/** The offset of the closing quote, or of the first character that a string may not contain. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 34 || code < 32) return at;
    if (code !== 92) {
      at++;
      continue;
    }
    const escaped = text.charAt(at + 1);
    if (escaped === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) return at;
      at += 6;
    } else {
      if (escaped === "" || !'"\\/bfnrt'.includes(escaped)) return at;
      at += 2;
    }
  }
  return at;
}
