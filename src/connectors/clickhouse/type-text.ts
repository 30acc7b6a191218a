/** Parses ClickHouse's type texts: `Map(String, Array(Nullable(DateTime64(3, 'UTC'))))`. */

export interface TypeText {
  /** The family's name in the text: `Nullable`, `DateTime64`. */
  readonly family: string;
  readonly parts: readonly TypePart[];
}
export type TypePart =
  | { readonly kind: "type"; readonly name: string | undefined; readonly type: TypeText }
  | { readonly kind: "number"; readonly value: number }
  /** `'text'`, followed by its number in enumeration types. */
  | { readonly kind: "text"; readonly value: string; readonly number: number | undefined };

const MAX_DEPTH = 100;

/** Undefined for text that is not a type, or is nested too deeply. */
export function parseTypeText(text: string): TypeText | undefined {
  try {
    const reader = new Reader(text);
    const type = reader.type(0);
    return reader.isAtEnd() ? type : undefined;
  } catch (error) {
    if (error instanceof NotAType) return undefined;
    throw error;
  }
}

class NotAType extends Error {}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["0", "\0"],
]);

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  type(depth: number): TypeText {
    return this.#typeNamed(this.#word(), depth);
  }

  #typeNamed(family: string, depth: number): TypeText {
    if (depth > MAX_DEPTH) throw new NotAType();
    if (!this.#takes("(")) return { family, parts: [] };
    const parts: TypePart[] = [];
    if (this.#takes(")")) return { family, parts };
    do parts.push(this.#part(depth + 1));
    while (this.#takes(","));
    if (!this.#takes(")")) throw new NotAType();
    return { family, parts };
  }

  #part(depth: number): TypePart {
    const next = this.#text[this.#at];
    if (next === "'") {
      const value = this.#quoted("'");
      return { kind: "text", value, number: this.#takes("=") ? this.#number() : undefined };
    }
    if (/[-\d]/.test(next ?? "")) return { kind: "number", value: this.#number() };
    if (next === "`") return { kind: "type", name: this.#quoted("`"), type: this.type(depth) };
    const word = this.#word();
    // A name without a separator is followed by its field's type.
    if (/[\w`]/.test(this.#text[this.#at] ?? "")) return { kind: "type", name: word, type: this.type(depth) };
    return { kind: "type", name: undefined, type: this.#typeNamed(word, depth) };
  }

  #word(): string {
    const [word = ""] = /^[A-Za-z_][\w.]*/.exec(this.#text.slice(this.#at, this.#at + 256)) ?? [];
    if (word === "") throw new NotAType();
    this.#at += word.length;
    this.#blanks();
    return word;
  }

  #number(): number {
    const [digits = ""] = /^-?\d{1,10}/.exec(this.#text.slice(this.#at, this.#at + 12)) ?? [];
    if (digits === "") throw new NotAType();
    this.#at += digits.length;
    this.#blanks();
    return Number(digits);
  }

  #quoted(quote: string): string {
    let value = "";
    for (this.#at++; ; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new NotAType();
      if (character === quote) break;
      if (character !== "\\") value += character;
      else {
        const escaped = this.#text[++this.#at] ?? "";
        value += ESCAPES.get(escaped) ?? escaped;
      }
    }
    this.#at++;
    this.#blanks();
    return value;
  }

  #takes(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    this.#blanks();
    return true;
  }

  #blanks(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }
}
