/**
 * Reading JSON text that a stranger sent: depth is checked before anything is built, and faults are told by place only.
 *
 * `JSON.parse` itself quotes the text around a fault in its message (which may be a password) and gives no position for
 * short texts, so the place is found here and the engine's message is never used.
 */

export type JsonFault = "syntax" | "too deep" | "too many values";

interface Fault {
  readonly fault: JsonFault;
  /** Offset in UTF-16 units. */
  readonly at: number;
}

export type JsonOutcome = { readonly ok: true; readonly value: unknown } | ({ readonly ok: false } & Fault);

/** No request of this API needs more; eight megabytes of `[]` would otherwise become gigabytes of arrays. */
const MOST_VALUES = 100_000;

/** Objects may hold a member named `__proto__`: it is an own property, as `JSON.parse` makes it. Of equal names the last wins. */
export function parseJson(text: string, maxDepth: number): JsonOutcome {
  if (text.length <= MOST_VALUES && !mayBeDeeper(text, maxDepth)) {
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // Where the fault is, is found below.
    }
  }
  const fault = findFault(text, maxDepth);
  if (fault !== undefined) return { ok: false, ...fault };
  return { ok: true, value: JSON.parse(text) };
}

/** Counts what could open an array or object, in strings, too: a request has a handful, and the engine finds them at once. */
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
    // Here a value is expected.
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

    // Here a value has ended: close what ends with it, then find the next value.
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

/** Past `"name" :` and the space after it. */
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

/** The offset after the closing quote; `undefined` when the string is not one. */
function skipString(text: string, start: number): number | undefined {
  const at = endOfString(text, start);
  return text.charAt(at) === '"' ? at + 1 : undefined;
}

function faultInString(text: string, start: number): number {
  return endOfString(text, start);
}

/** The offset of the closing quote, or of the first thing that no string may hold. */
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
