/** `{a,"b c",NULL}`: arrays in texts, as PostgreSQL writes them. */

/** An element as its text, NULL, or an array again. */
export type ArrayText = readonly (string | null | ArrayText)[];

/** Arrays inside arrays: PostgreSQL has six. */
const MAX_DIMENSIONS = 6;

/** The elements of the array that a text spells; `undefined` for anything else, among it bounds (`[0:1]={a,b}`). */
export function parseArrayText(text: string): ArrayText | undefined {
  const reader = new Reader(text);
  reader.skipBlanks();
  const elements = reader.array(MAX_DIMENSIONS);
  reader.skipBlanks();
  return reader.isAtEnd ? elements : undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  skipBlanks(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
  }

  array(dimensions: number): ArrayText | undefined {
    if (dimensions === 0 || !this.#accept("{")) return undefined;
    const elements: (string | null | ArrayText)[] = [];
    this.skipBlanks();
    if (this.#accept("}")) return elements;
    for (;;) {
      this.skipBlanks();
      const element = this.#text.charAt(this.#at) === "{" ? this.array(dimensions - 1) : this.#element();
      if (element === undefined) return undefined;
      elements.push(element);
      this.skipBlanks();
      if (this.#accept("}")) return isEven(elements) ? elements : undefined;
      if (!this.#accept(",")) return undefined;
    }
  }

  #accept(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at++;
    return true;
  }

  #element(): string | null | undefined {
    if (this.#accept('"')) return this.#quoted();
    const written = /[^{}",]*/y;
    written.lastIndex = this.#at;
    const raw = written.exec(this.#text)?.[0] ?? "";
    this.#at = written.lastIndex;
    const value = raw.trim();
    // Text that a backslash escapes (a trailing blank, the word NULL) is rare, and can be written with quotes.
    if (value === "" || value.includes("\\")) return undefined;
    return /^null$/i.test(value) ? null : value;
  }

  #quoted(): string | undefined {
    let value = "";
    while (!this.isAtEnd) {
      const character = this.#text.charAt(this.#at++);
      if (character === '"') return value;
      value += character === "\\" ? this.#text.charAt(this.#at++) : character;
    }
    return undefined;
  }
}

/** All elements are arrays of one length, or none is an array. */
function isEven(elements: ArrayText): boolean {
  const lengths = new Set(elements.map((element) => (Array.isArray(element) ? element.length : -1)));
  return lengths.size === 1;
}
