/** LookML as a tree of values with positions. SQL ends with two semicolons; nothing is evaluated. */
import { FaultsInFiles, type FilePosition } from "../../exit.ts";
import { mayHoldSecret } from "../../project/yaml.ts";

export interface TextNode {
  readonly kind: "text";
  readonly text: string;
  readonly at: FilePosition;
}

export interface ListNode {
  readonly kind: "list";
  readonly elements: readonly LookmlNode[];
  readonly at: FilePosition;
}

export interface BlockNode {
  readonly kind: "block";
  readonly name: string | undefined;
  readonly members: ReadonlyMap<string, LookmlNode>;
  readonly at: FilePosition;
}

export type LookmlNode = TextNode | ListNode | BlockNode;

const LARGEST = 16 * 1024 * 1024;
/** The parser recurses. */
const DEEPEST = 100;
const NATIVE = /^(?:sql(?:_\w+)?|html|expression(?:_\w+)?)$/;
/** Texts that a file may hold several times. */
const REPEATED: ReadonlySet<string> = new Set(["include"]);

/** Throws `FaultsInFiles`. */
export function parseLookml(text: string, file: string): BlockNode {
  if (text.length > LARGEST) throw new FaultsInFiles([{ message: `${file} is larger than 16 MiB.` }]);
  return new Parser(text, file).file();
}

class Parser {
  readonly #text: string;
  readonly #file: string;
  readonly #starts: number[] = [0];
  #offset = 0;
  #depth = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  file(): BlockNode {
    const at = this.#position(0);
    return { kind: "block", name: undefined, members: this.#members(undefined), at };
  }

  /** Members up to the end of the block that began at `open`, or of the file. */
  #members(open: FilePosition | undefined): ReadonlyMap<string, LookmlNode> {
    const members = new Map<string, LookmlNode>();
    for (;;) {
      this.#skip();
      const character = this.#text[this.#offset];
      if (character === undefined) {
        if (open !== undefined) this.#fail("The block is not closed.", open);
        return members;
      }
      if (character === "}") {
        if (open === undefined) this.#fail("There is no block to close.");
        this.#offset++;
        return members;
      }
      const at = this.#position(this.#offset);
      const key = this.#match(/[A-Za-z_]\w*/y);
      if (key === undefined) this.#fail("A name and a colon are expected.");
      this.#skip();
      if (this.#text[this.#offset] !== ":") this.#fail(`A colon is expected after ${key}.`);
      this.#offset++;
      this.#add(members, key, this.#value(key), at);
    }
  }

  #add(members: Map<string, LookmlNode>, key: string, value: LookmlNode, at: FilePosition): void {
    const found = members.get(key);
    const isBlock = value.kind === "block";
    if (found === undefined) {
      members.set(key, isBlock ? { kind: "list", elements: [value], at: value.at } : value);
      return;
    }
    const isList = found.kind === "list" && value.kind !== "text";
    if (!isList && !REPEATED.has(key)) this.#fail("The key is written twice in one object.", at);
    const elements = [found, value].flatMap((each) => (each.kind === "list" ? each.elements : each));
    members.set(key, { kind: "list", elements, at: found.at });
  }

  #value(key: string): LookmlNode {
    this.#skip();
    const start = this.#offset;
    const at = this.#position(start);
    if (NATIVE.test(key)) {
      const end = this.#text.indexOf(";;", start);
      if (end < 0) this.#fail(`${key} does not end with two semicolons.`, at);
      this.#offset = end + 2;
      return { kind: "text", text: this.#text.slice(start, end).trim(), at };
    }
    const character = this.#text[start];
    if (character === "{") return this.#block(undefined, at);
    if (character === "[") return this.#list(at);
    const text = this.#scalar();
    if (character === '"') return { kind: "text", text, at };
    this.#skip();
    return this.#text[this.#offset] === "{" ? this.#block(text, at) : { kind: "text", text, at };
  }

  #block(name: string | undefined, at: FilePosition): BlockNode {
    this.#offset++;
    this.#deeper(at);
    const members = this.#members(at);
    this.#depth--;
    return { kind: "block", name, members, at };
  }

  /** Elements are texts, and pairs of a field and a value. */
  #list(at: FilePosition): ListNode {
    this.#offset++;
    const elements: LookmlNode[] = [];
    for (;;) {
      this.#skip();
      const start = this.#position(this.#offset);
      const character = this.#text[this.#offset];
      if (character === undefined) this.#fail("The list is not closed.", at);
      if (character === "]") {
        this.#offset++;
        return { kind: "list", elements, at };
      }
      if (character === ",") {
        this.#offset++;
        continue;
      }
      const field: TextNode = { kind: "text", text: this.#scalar(), at: start };
      this.#skip();
      if (this.#text[this.#offset] !== ":") {
        elements.push(field);
        continue;
      }
      this.#offset++;
      this.#skip();
      const value: TextNode = { kind: "text", at: this.#position(this.#offset), text: this.#scalar() };
      const members = new Map<string, LookmlNode>([
        ["field", field],
        ["value", value],
      ]);
      elements.push({ kind: "block", name: undefined, members, at: start });
    }
  }

  #scalar(): string {
    if (this.#text[this.#offset] === '"') {
      const quoted = this.#match(/"((?:[^"\\]|\\[\s\S])*)"/y);
      if (quoted === undefined) this.#fail("The text is not closed.");
      return quoted.slice(1, -1).replaceAll(/\\(["\\])/g, "$1");
    }
    const bare = this.#match(/[^\s{}[\],;"#:]+/y);
    if (bare === undefined) this.#fail("A value is expected.");
    return bare;
  }

  #skip(): void {
    this.#match(/(?:\s|#[^\n]*)+/y);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#offset += found?.length ?? 0;
    return found;
  }

  #deeper(at: FilePosition): void {
    if (++this.#depth > DEEPEST) this.#fail(`Blocks nest deeper than ${DEEPEST} levels.`, at);
  }

  #position(offset: number): FilePosition {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const start = this.#starts[low] ?? 0;
    const end = this.#text.indexOf("\n", start);
    const line = this.#text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
    const text = mayHoldSecret(line) || line.length > 500 ? "" : line;
    return { file: this.#file, line: low + 1, column: offset - start + 1, text };
  }

  #fail(message: string, at: FilePosition = this.#position(this.#offset)): never {
    throw new FaultsInFiles([{ message, at }]);
  }
}
