/**
 * Parses the records of a JSON file: in sequence, or as the elements of an array (RFC 8259). Input that JSON readers treat
 * differently (repeated names, lone surrogates, numbers beyond 64 bits) throws `Beyond`, and so does invalid JSON.
 */
import { Beyond } from "../beyond.ts";

/** Integers are 64-bit bigints, other numbers doubles; an object is a map of its members in order. */
export type JsonValue = null | boolean | bigint | number | string | JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

const MOST_DEPTH = 100;
/** Limits, because parsed values take many times their bytes, and callers choose the files. */
const MOST_MEMBERS = 1_000;
const MOST_ELEMENTS = 100_000;
const BLANKS = /[ \t\n\r]*/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ["null", null],
  ["true", true],
  ["false", false],
]);
/** Digits of a 64-bit integer. */
const MOST_DIGITS = 19;

/** Throws `Beyond`. */
export function* recordsOf(text: string): Generator<JsonObject, void, undefined> {
  const scanner = new Scanner(text);
  if (!scanner.takes("[")) {
    while (!scanner.isAtEnd) yield scanner.record();
    return;
  }
  if (!scanner.takes("]")) {
    do yield scanner.record();
    while (scanner.takes(","));
    scanner.expect("]");
  }
  if (!scanner.isAtEnd) throw new Beyond("several arrays of records");
}

/** Exactly one value. Throws `Beyond`. */
export function valueOf(text: string): JsonValue {
  const scanner = new Scanner(text);
  const value = scanner.value();
  if (!scanner.isAtEnd) throw new Beyond("characters behind a value");
  return value;
}

class Scanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#blanks();
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  takes(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    this.#blanks();
    return true;
  }

  expect(sign: string): void {
    if (!this.takes(sign)) throw new Beyond(`the text at character ${this.#at + 1}`);
  }

  record(): JsonObject {
    const value = this.value();
    if (!(value instanceof Map)) throw new Beyond("records that are no objects");
    return value;
  }

  value(): JsonValue {
    if (++this.#depth > MOST_DEPTH) throw new Beyond("values that deep in others");
    try {
      switch (this.#text[this.#at]) {
        case "{":
          return this.#object();
        case "[":
          return this.#list();
        case '"':
          return this.#string();
        default: {
          const word = this.#word();
          return word === undefined ? this.#number() : word;
        }
      }
    } finally {
      this.#depth--;
    }
  }

  #object(): JsonObject {
    const members = new Map<string, JsonValue>();
    this.expect("{");
    if (this.takes("}")) return members;
    do {
      if (this.#text[this.#at] !== '"') this.expect('"');
      const name = this.#string();
      if (members.size === MOST_MEMBERS) throw new Beyond("an object of so many names");
      if (members.has(name)) throw new Beyond("an object that has a name twice");
      this.expect(":");
      members.set(name, this.value());
    } while (this.takes(","));
    this.expect("}");
    return members;
  }

  #list(): JsonValue[] {
    const elements: JsonValue[] = [];
    this.expect("[");
    if (this.takes("]")) return elements;
    do {
      if (elements.length === MOST_ELEMENTS) throw new Beyond("a list of so many elements");
      elements.push(this.value());
    } while (this.takes(","));
    this.expect("]");
    return elements;
  }

  #string(): string {
    const start = this.#at;
    let at = start + 1;
    let hasEscapes = false;
    // Not a regular expression, which needs memory for each character that it may backtrack to.
    for (;;) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) break;
      // Also false for NaN, beyond the end of the text.
      if (!(code >= SPACE)) throw new Beyond(`the text at its character ${start + 1}`);
      hasEscapes ||= code === BACKSLASH;
      at += code === BACKSLASH ? 2 : 1;
    }
    this.#at = at + 1;
    this.#blanks();
    const value = hasEscapes ? unescaped(this.#text.slice(start, at + 1)) : this.#text.slice(start + 1, at);
    if (!value.isWellFormed()) throw new Beyond("halves of letters");
    return value;
  }

  /** Undefined for text that is not a keyword; NULL is a value. */
  #word(): null | boolean | undefined {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      this.#blanks();
      return value;
    }
    return undefined;
  }

  #number(): bigint | number {
    NUMBER.lastIndex = this.#at;
    const [written, fraction, exponent] = NUMBER.exec(this.#text) ?? [];
    if (written === undefined) throw new Beyond(`the text at character ${this.#at + 1}`);
    this.#at += written.length;
    this.#blanks();
    if (fraction === undefined && exponent === undefined) {
      const value = written.length > MOST_DIGITS + 1 ? undefined : BigInt(written);
      if (value === undefined || BigInt.asIntN(64, value) !== value) throw new Beyond("an integer beyond 64 bits");
      return value;
    }
    const value = Number(written);
    if (!Number.isFinite(value)) throw new Beyond("a number beyond all doubles");
    return value;
  }

  #blanks(): void {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#text);
    this.#at = BLANKS.lastIndex;
  }
}

function unescaped(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    throw new Beyond("a sign in a text that is escaped otherwise");
  }
}
