/** Parses DuckDB's type texts, as DESCRIBE returns them: `MAP(VARCHAR, STRUCT("a b" INTEGER, c BOOLEAN[]))`. */

export interface TypeText {
  /** `LIST` for `INTEGER[]`, `ARRAY` for `INTEGER[3]`, `DECIMAL(4,2)` with its arguments; in upper case. */
  readonly name: string;
  /** The element of a list, key and value of a map, the members of a struct; empty for all other types. */
  readonly children: readonly TypeText[];
  /** The names of a struct's members, in their SQL spelling; empty for all other types. */
  readonly members: readonly string[];
}

/** Undefined for a text that is not a type. */
export function readTypeText(text: string): TypeText | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const reader = new Reader(tokens);
  const type = reader.type();
  return reader.isAtEnd ? type : undefined;
}

/** Names, numbers, quoted names, quoted texts and single characters. Undefined for an unclosed quote. */
function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? "";
    let end = at + 1;
    if (character === '"' || character === "'") {
      for (;;) {
        const quote = text.indexOf(character, end);
        if (quote < 0) return undefined;
        end = quote + 1;
        if (text[end] !== character) break;
        end++;
      }
    } else if (isOfName(character)) {
      while (isOfName(text[end] ?? " ")) end++;
    }
    if (character !== " ") tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

const isOfName = (character: string): boolean => !" (),[]'\"".includes(character);

/** Maximum nesting depth of types. */
const MOST_DEPTH = 100;

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  type(depth = 0): TypeText | undefined {
    let name = this.#name();
    let children: readonly TypeText[] = [];
    let members: readonly string[] = [];
    if (name === "" || depth > MOST_DEPTH) return undefined;
    if (this.#takes("(")) {
      const isStruct = name === "STRUCT" || name === "UNION";
      if (isStruct || name === "MAP") {
        const read = this.#children(isStruct, depth);
        if (read === undefined) return undefined;
        ({ children, members } = read);
      } else {
        const from = this.#at;
        while (!this.isAtEnd && this.#tokens[this.#at] !== ")") this.#at++;
        name += `(${this.#tokens.slice(from, this.#at).join("")})`;
        if (!this.#takes(")")) return undefined;
      }
    }
    let type: TypeText = { name, children, members };
    while (this.#takes("[")) {
      const isList = this.#tokens[this.#at] === "]";
      if (!isList) this.#at++;
      if (!this.#takes("]")) return undefined;
      type = { name: isList ? "LIST" : "ARRAY", children: [type], members: [] };
    }
    return type;
  }

  #children(areNamed: boolean, depth: number): Omit<TypeText, "name"> | undefined {
    const children: TypeText[] = [];
    const members: string[] = [];
    do {
      if (areNamed) members.push(this.#tokens[this.#at++] ?? "");
      const child = this.type(depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    } while (this.#takes(","));
    return this.#takes(")") ? { children, members } : undefined;
  }

  /** Several words can be one name: `TIMESTAMP WITH TIME ZONE`. */
  #name(): string {
    const from = this.#at;
    for (let token = this.#tokens[from]; token !== undefined && !"(),[]".includes(token); ) {
      token = this.#tokens[++this.#at];
    }
    return this.#tokens.slice(from, this.#at).join(" ").toUpperCase();
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}
