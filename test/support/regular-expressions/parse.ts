/** The syntax of JavaScript's regular expressions, as a tree. An atom keeps its own text: the engine says which letters it matches. */

export type Tree =
  | { readonly kind: "empty" }
  | { readonly kind: "atom"; readonly text: string; readonly flags: string }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "either"; readonly parts: readonly Tree[] }
  | { readonly kind: "repeat"; readonly body: Tree; readonly least: number; readonly most: number }
  | { readonly kind: "edge"; readonly at: "start" | "end" | "lineStart" | "lineEnd" | "word" | "notWord" }
  | { readonly kind: "look"; readonly behind: boolean; readonly negated: boolean; readonly body: Tree }
  | { readonly kind: "back"; readonly group: string };

export function parseExpression(source: string, flags: string): Tree {
  const reader = new Reader(source, flags);
  const tree = reader.either(flags);
  if (!reader.atEnd) throw new Error(`The expression /${source}/${flags} cannot be read.`);
  return tree;
}

class Reader {
  #at = 0;
  readonly #source: string;
  readonly #unicode: boolean;
  readonly #nestsClasses: boolean;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#unicode = /[uv]/.test(flags);
    this.#nestsClasses = flags.includes("v");
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  either(flags: string): Tree {
    const parts = [this.#sequence(flags)];
    while (this.#take("|")) parts.push(this.#sequence(flags));
    return parts.length === 1 ? (parts[0] as Tree) : { kind: "either", parts };
  }

  #sequence(flags: string): Tree {
    const parts: Tree[] = [];
    while (!this.atEnd && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
      parts.push(this.#repeated(this.#one(flags)));
    }
    if (parts.length === 0) return { kind: "empty" };
    return parts.length === 1 ? (parts[0] as Tree) : { kind: "sequence", parts };
  }

  #repeated(body: Tree): Tree {
    const count = this.#match(/[*+?]|\{(\d+)(,(\d*))?\}/y);
    if (count === undefined) return body;
    this.#take("?");
    const [sign, from, comma, to] = count;
    if (sign === "*") return { kind: "repeat", body, least: 0, most: Number.POSITIVE_INFINITY };
    if (sign === "+") return { kind: "repeat", body, least: 1, most: Number.POSITIVE_INFINITY };
    if (sign === "?") return { kind: "repeat", body, least: 0, most: 1 };
    const least = Number(from);
    const most = comma === undefined ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    return { kind: "repeat", body, least, most };
  }

  #one(flags: string): Tree {
    if (this.#take("^")) return { kind: "edge", at: flags.includes("m") ? "lineStart" : "start" };
    if (this.#take("$")) return { kind: "edge", at: flags.includes("m") ? "lineEnd" : "end" };
    if (this.#take("\\b")) return { kind: "edge", at: "word" };
    if (this.#take("\\B")) return { kind: "edge", at: "notWord" };
    const look = this.#match(/\(\?(<?)([=!])/y);
    if (look !== undefined) {
      return { kind: "look", behind: look[1] === "<", negated: look[2] === "!", body: this.#closed(flags) };
    }
    const modified = this.#match(/\(\?([ims]*)(?:-([ims]+))?:/y);
    if (modified !== undefined) {
      const without = [...flags].filter((flag) => !(modified[2] ?? "").includes(flag)).join("");
      return this.#closed([...new Set(without + (modified[1] ?? ""))].join(""));
    }
    if (this.#match(/\((?:\?<\w+>)?/y) !== undefined) return this.#closed(flags);
    const back = this.#match(/\\([1-9]\d*)|\\k<(\w+)>/y);
    if (back !== undefined) return { kind: "back", group: back[1] ?? back[2] ?? "" };
    if (this.#source[this.#at] === "[") return { kind: "atom", text: this.#class(), flags };
    const text = this.#match(
      this.#unicode
        ? /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|[^\\]/uy
        : /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|[^\\]/y,
    );
    if (text === undefined) throw new Error(`The expression /${this.#source}/ cannot be read at ${this.#at}.`);
    return { kind: "atom", text: text[0], flags };
  }

  #closed(flags: string): Tree {
    const body = this.either(flags);
    if (!this.#take(")")) throw new Error(`A group of /${this.#source}/ is not closed.`);
    return body;
  }

  #class(): string {
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#source.length; this.#at++) {
      const sign = this.#source[this.#at];
      if (sign === "\\") this.#at++;
      else if (sign === "[" && (depth === 0 || this.#nestsClasses)) depth++;
      else if (sign === "]" && --depth === 0) break;
    }
    this.#at++;
    return this.#source.slice(start, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}
