/** Parses the text form of PostgreSQL arrays: `{1,NULL,"a \"quoted\" one"}`, nested by braces, optionally after bounds. */
import type { Value } from "../../result/types.ts";
import { UnreadableValue } from "../unreadable-value.ts";

/** The number of dimensions in an array's text; an empty array counts as one. */
export function depthOfArray(text: string): number {
  const start = afterBounds(text);
  let depth = 0;
  while (text[start + depth] === "{") depth++;
  return Math.max(1, depth);
}

/** Reads arrays of exactly `depth` dimensions, or empty ones, with `read` for each element that is not NULL. */
export function arrayReader(read: (text: string) => Value, depth: number): (text: string) => readonly Value[] {
  return (text) => {
    const start = afterBounds(text);
    if (depthOfArray(text) !== depth && text.slice(start) !== "{}") {
      throw new UnreadableValue("arrays with different numbers of dimensions in one column");
    }
    return new ArrayText(text, start, read).array();
  };
}

/** `[0:1][1:2]={{…}}`: bounds that do not start at 1 precede the elements, and do not affect them. */
function afterBounds(text: string): number {
  return text.startsWith("[") ? text.indexOf("=") + 1 : 0;
}

class ArrayText {
  readonly #text: string;
  readonly #read: (text: string) => Value;
  #at: number;

  constructor(text: string, start: number, read: (text: string) => Value) {
    this.#text = text;
    this.#at = start;
    this.#read = read;
  }

  array(): Value[] {
    const values: Value[] = [];
    this.#expect("{");
    if (this.#text[this.#at] === "}") {
      this.#at++;
      return values;
    }
    for (;;) {
      values.push(this.#element());
      if (this.#text[this.#at] !== ",") break;
      this.#at++;
    }
    this.#expect("}");
    return values;
  }

  #element(): Value {
    const first = this.#text[this.#at];
    if (first === "{") return this.array();
    if (first === '"') return this.#read(this.#quoted());
    const word = this.#word();
    // Only without quotes: the text "NULL" is written in quotes.
    return word === "NULL" ? null : this.#read(word);
  }

  #quoted(): string {
    let value = "";
    let from = ++this.#at;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) throw new UnreadableValue("an array");
      if (char === '"') break;
      if (char === "\\") {
        value += this.#text.slice(from, this.#at);
        from = ++this.#at;
      }
      this.#at++;
    }
    value += this.#text.slice(from, this.#at);
    this.#at++;
    return value;
  }

  #word(): string {
    const from = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "," && this.#text[this.#at] !== "}") this.#at++;
    return this.#text.slice(from, this.#at);
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) throw new UnreadableValue("an array");
    this.#at++;
  }
}
