/** The regular expressions of source files: literals, and calls of `new RegExp` with the constants that they name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Expression {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

export interface Construction {
  readonly file: string;
  readonly line: number;
  /** The arguments as they are written. */
  readonly text: string;
  /** The combined expression, if constants of the file determine it. */
  readonly made: Expression | undefined;
}

export function expressionsOf(root: string, folders: readonly string[]) {
  const literals: Expression[] = [];
  const constructions: Construction[] = [];
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!name.endsWith(".ts") || name.includes("node_modules")) continue;
      const file = `${folder}/${name.replaceAll("\\", "/")}`;
      const text = readFileSync(join(root, file), "utf8");
      const lineOf = (at: number) => text.slice(0, at).split("\n").length;
      for (const token of tokensOf(text)) {
        if (token.kind === "expression") {
          const line = lineOf(token.start);
          const end = token.text.lastIndexOf("/");
          literals.push({ file, line, source: token.text.slice(1, end), flags: token.text.slice(end + 1) });
        } else if (token.kind === "word" && token.text === "RegExp") {
          const call = constructionAt(text, token.start);
          const line = lineOf(token.start);
          if (call !== undefined) constructions.push({ file, line, ...madeOf(text, call, file, line) });
        }
      }
    }
  }
  return { literals, constructions };
}

interface Token {
  readonly kind: "word" | "text" | "expression" | "sign";
  readonly text: string;
  readonly start: number;
}

const WORD = /[\w$]+/y;
const isWord = (sign: string) => (sign >= "a" && sign <= "z") || (sign >= "A" && sign <= "Z") || /[\d_$]/.test(sign);
const BEFORE_EXPRESSION = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/;

/** Tokens of TypeScript, as far as it takes to tell an expression from a division and from what texts hold. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  // How many braces are open in each `${` of a template.
  const templates: number[] = [];
  let at = 0;
  const add = (kind: Token["kind"], end: number) => {
    tokens.push({ kind, text: text.slice(at, end), start: at });
    at = end;
  };
  const templateEnd = (from: number): number => {
    let end = from;
    while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) end += text[end] === "\\" ? 2 : 1;
    if (text[end] === "`") return end + 1;
    templates.push(0);
    return end + 2;
  };
  while (at < text.length) {
    const sign = text[at] as string;
    if (sign <= " ") at++;
    else if (text.startsWith("//", at)) at = (text.indexOf("\n", at) + text.length) % text.length || text.length;
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
    else if (sign === '"' || sign === "'") {
      let end = at + 1;
      while (text[end] !== sign && end < text.length) end += text[end] === "\\" ? 2 : 1;
      add("text", end + 1);
    } else if (sign === "`") add("text", templateEnd(at + 1));
    else if (sign === "}" && templates.at(-1) === 0) {
      templates.pop();
      add("text", templateEnd(at + 1));
    } else if (isWord(sign)) {
      WORD.lastIndex = at;
      WORD.test(text);
      add("word", WORD.lastIndex);
    } else if (sign === "/" && mayBegin(tokens.at(-1))) add("expression", expressionEnd(text, at));
    else {
      if (sign === "{" && templates.length > 0) templates.push((templates.pop() ?? 0) + 1);
      if (sign === "}" && templates.length > 0) templates.push((templates.pop() ?? 0) - 1);
      add("sign", at + 1);
    }
  }
  return tokens;
}

function mayBegin(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return BEFORE_EXPRESSION.test(before.text);
  return before.kind === "sign" ? !/[)\]}]/.test(before.text) : before.text.endsWith("${");
}

function expressionEnd(text: string, start: number): number {
  let inClass = false;
  let at = start + 1;
  for (; at < text.length && (inClass || text[at] !== "/"); at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
    else if (text[at] === "\n") throw new Error(`An expression runs over its line: ${text.slice(start, at)}`);
  }
  at++;
  while (/[a-z]/.test(text[at] ?? "")) at++;
  return at;
}

/** The arguments of `RegExp(…)`. */
function constructionAt(text: string, start: number): string | undefined {
  const open = start + "RegExp".length;
  if (text[open] !== "(") return undefined;
  let depth = 0;
  for (const token of tokensOf(text.slice(open))) {
    if (token.kind !== "sign") continue;
    if (token.text === "(") depth++;
    else if (token.text === ")" && --depth === 0) return text.slice(open + 1, open + token.start);
  }
  return undefined;
}

function madeOf(text: string, call: string, file: string, line: number) {
  try {
    const declared = declarations(text, call, new Set());
    const values: unknown = new Function(`${declared}return [${call}];`)();
    const [source, flags = ""] = values as [string, string?];
    return { text: call, made: { file, line, source, flags } };
  } catch {
    return { text: call, made: undefined };
  }
}

/** The constants that a text names, and those that these name. */
function declarations(text: string, used: string, known: Set<string>): string {
  let all = "";
  for (const [name] of used.matchAll(/\b[A-Z][A-Z_\d]*\b/g)) {
    if (known.has(name)) continue;
    known.add(name);
    const start = text.search(new RegExp(`^(?:export )?const ${name}\\b[^=]*= `, "m"));
    if (start < 0) continue;
    const from = text.indexOf("= ", start) + 2;
    let depth = 0;
    let end = from;
    for (const token of tokensOf(text.slice(from))) {
      if (token.kind === "sign" && /[([{]/.test(token.text)) depth++;
      else if (token.kind === "sign" && /[)\]}]/.test(token.text)) depth--;
      else if (token.kind === "sign" && token.text === ";" && depth === 0) {
        end = from + token.start;
        break;
      }
    }
    const value = text.slice(from, end);
    all += `${declarations(text, value, known)}const ${name} = ${value};\n`;
  }
  return all;
}
